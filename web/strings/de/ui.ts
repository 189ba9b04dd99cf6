import type { ui as english } from '../en/ui.ts';
import { plural } from '../format.ts';

export const ui: typeof english = {
  close: 'Schließen',
  cancel: 'Abbrechen',
  save: 'Speichern',
  confirm: 'Bestätigen',
  dismiss: 'Ausblenden',
  copy: 'Kopieren',
  copied: 'Kopiert',
  copyFailed: 'Dein Browser lässt diese Seite nicht kopieren. Markiere den Text, und kopiere ihn selbst.',
  loading: 'Wird geladen …',
  notifications: 'Benachrichtigungen',
  optional: 'optional',
  showPassword: 'Passwort zeigen',
  hidePassword: 'Passwort verbergen',
  actions: 'Aktionen',
  agent: 'Agent',
  presence: {
    online: 'Online',
    idle: 'Abwesend',
    dnd: 'Bitte nicht stören',
    offline: 'Offline',
  },
  typeToConfirm: (text) => `Gib zur Bestätigung ${text} ein`,
  typeExactly: (text) => `Gib genau das ein: ${text}`,
  left: (count) => plural(count, { one: 'noch # Zeichen', other: 'noch # Zeichen' }),
  over: (count) => plural(count, { one: '# Zeichen zu viel', other: '# Zeichen zu viel' }),
  errors: {
    missing: 'Fülle dieses Feld aus.',
    tooShort: (least) =>
      plural(least, { one: 'Nimm mindestens # Zeichen.', other: 'Nimm mindestens # Zeichen.' }),
    tooLong: (most) => plural(most, { one: 'Nimm höchstens # Zeichen.', other: 'Nimm höchstens # Zeichen.' }),
    tooSmall: (least) => `Das Mindeste ist ${least}.`,
    tooLarge: (most) => `Das Höchste ist ${most}.`,
    email: 'Gib eine Adresse wie name@example.org ein.',
    url: 'Gib eine Adresse ein, die mit https:// beginnt',
    form: 'Das hat nicht die richtige Form.',
    noAnswer: 'Der Server hat nicht geantwortet. Prüfe deine Verbindung, und versuche es erneut.',
    tooOften: (seconds) =>
      plural(seconds, {
        one: 'Das war zu oft. Versuche es in # Sekunde erneut.',
        other: 'Das war zu oft. Versuche es in # Sekunden erneut.',
      }),
    unexpected: 'Das hat nicht geklappt. Versuche es erneut.',
    page: 'Dieser Teil der Seite ist gescheitert.',
    newVersion: 'Es gibt eine neuere Version dieser Seite.',
    reload: 'Neu laden',
    again: 'Erneut versuchen',
  },
};
