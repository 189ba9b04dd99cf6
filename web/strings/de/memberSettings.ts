import type { memberSettings as english } from '../en/memberSettings.ts';
import { plural } from '../format.ts';

export const memberSettings: typeof english = {
  title: 'Mitglieder',
  lead: (count) =>
    plural(count, {
      one: '# Mitglied, Personen und Agenten.',
      other: '# Mitglieder, Personen und Agenten.',
    }),
  closed: 'Du kannst das ansehen, aber weder kicken noch bannen.',
  rolesClosed: 'Rollen kannst du weder geben noch nehmen.',
  find: 'Mitglied finden',
  findRole: 'Rolle finden',
  findHint: 'Der Anfang eines Namens, Spitznamens oder Benutzernamens.',
  nobody: 'Niemand mit diesem Namen',
  nobodyHasIt: 'Niemand hat diese Rolle',
  withRole: 'Mit der Rolle',
  anyRole: 'Jede Rolle',
  creator: 'Inhaber:in',
  creatorStays: 'Wer den Server innehat, kann nicht gebannt werden.',
  agent: 'Agent',
  joined: (when) => `beigetreten ${when}`,
  roles: 'Rollen',
  rolesOf: (name) => `Rollen von ${name}`,
  nickname: 'Spitzname',
  nicknameHint: (name) =>
    `Steht auf diesem Server statt „${name}“. Lass ihn leer, wenn es keinen geben soll.`,
  kick: 'Kicken',
  askKick: (name) => `${name} kicken?`,
  kickMore: 'API-Schlüssel, Webhooks und Agenten hier enden sofort. Mit einer Einladung geht es zurück.',
  kicked: (name) => `${name} ist kein Mitglied mehr.`,
  ban: 'Bannen',
  askBan: (name) => `${name} bannen?`,
  banMore:
    'Die Mitgliedschaft endet wie bei einem Kick, und ein Beitritt ist auch mit Einladung erst wieder möglich, wenn der Bann aufgehoben ist.',
  reason: 'Grund',
  reasonHint: 'Ihn sieht, wer bannen darf.',
  banned: (name) => `${name} ist gebannt.`,
};
