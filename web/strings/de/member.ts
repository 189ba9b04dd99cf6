import type { member as english } from '../en/member.ts';
import { plural } from '../format.ts';

export const member: typeof english = {
  profile: 'Profil',
  nobody: 'Dieses Konto gibt es hier nicht mehr.',
  noMember: 'Nicht mehr Mitglied dieses Servers.',
  agent: 'Agent',
  joined: (on) => `Beigetreten: ${on}`,
  roles: 'Rollen',
  noRoles: 'Keine Rollen',
  give: 'Rolle geben',
  take: (role) => `Die Rolle ${role} entziehen`,
  mention: 'Erwähnen',
  more: 'Mehr zu diesem Mitglied',
  copyId: 'Benutzer-ID kopieren',
  copied: 'Kopiert',
  lastAdmin: 'Sonst könnte niemand mehr diesen Server verwalten.',
  kick: 'Kicken',
  kickAsk: (name) => `${name} kicken?`,
  kickMore:
    'Die Mitgliedschaft endet sofort, und zurück geht es nur mit einer Einladung. Hier erstellte Schlüssel und Agenten enden.',
  ban: 'Bannen',
  banAsk: (name) => `${name} bannen?`,
  banMore:
    'Die Mitgliedschaft endet sofort, und ein Beitritt ist erst wieder möglich, wenn der Bann aufgehoben ist.',
  reason: 'Grund',
  reasonHint: 'Für die Liste der Banns. Andere Mitglieder sehen ihn nicht.',
  search: 'Mitglieder suchen',
  groups: {
    here: (count) => `Online: ${count}`,
    away: (count) => `Offline: ${count}`,
    agents: (count) => `Agenten: ${count}`,
  },
  found: (count) => plural(count, { one: '# Mitglied gefunden', other: '# Mitglieder gefunden' }),
  none: 'Niemand mit diesem Namen',
  noneMore: 'Gesucht wird in Namen, Benutzernamen und Spitznamen, nach den Anfängen ihrer Wörter.',
};
