import type { presence as english } from '../en/presence.ts';

export const presence: typeof english = {
  statuses: { online: 'Online', idle: 'Abwesend', dnd: 'Bitte nicht stören', invisible: 'Unsichtbar' },
  short: { online: 'Online', idle: 'Abwesend', dnd: 'Beschäftigt', invisible: 'Unsichtbar' },
  setText: 'Status setzen …',
  changeText: (text) => `Status: ${text}`,
  title: 'Dein Status',
  text: 'Status',
  textPrompt: 'In einer Besprechung, im Urlaub, …',
  until: 'Verschwindet',
  ends: {
    never: 'Wenn ich ihn entferne',
    halfHour: 'In 30 Minuten',
    hour: 'In einer Stunde',
    fourHours: 'In 4 Stunden',
    today: 'Am Ende des Tages',
    week: 'Am Ende der Woche',
  },
  shownAs: 'Andere sehen dich als',
};
