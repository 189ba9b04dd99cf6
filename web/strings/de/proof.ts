import type { proof as english } from '../en/proof.ts';

export const proof: typeof english = {
  title: 'Bist du es?',
  why: 'Bestätige vor dieser Änderung, dass du es bist. Das gilt zehn Minuten.',
  confirm: 'Bestätigen',
  byPasskey: 'Mit einem Passkey bestätigen',
  passkeyElsewhere:
    'Deine Passkeys können unter dieser Adresse des Servers nicht benutzt werden. Öffne ihn unter seinem Namen.',
  orByProvider: 'Oder melde dich noch einmal an, und versuche es dann wieder:',
  byProvider: 'Du hast hier kein Passwort. Melde dich noch einmal an, und versuche es dann wieder:',
  orByPassword: 'Oder wähle ein Passwort, und versuche es dann wieder.',
  byNothing:
    'Dein Konto hat weder ein Passwort noch einen Passkey. Wähle ein Passwort, und versuche es dann wieder.',
  byOperator:
    'Die, die diesen Server betreiben, geben dir dafür einen Link, auf der Seite für Admins oder mit diesem Befehl:',
  sendLink: (email) => `Link an ${email} senden`,
  sent: (email) =>
    `Ein Link ist unterwegs an ${email} und gilt eine Stunde. Öffne ihn in diesem Browser, wähle ein Passwort, und versuche es dann wieder.`,
};
