import type { level as english } from '../en/level.ts';

export const level: typeof english = {
  mute: 'Stummschalten',
  muted: 'Stummgeschaltet',
  muteFor: {
    hour: 'Für eine Stunde',
    morning: 'Für 8 Stunden',
    day: 'Für einen Tag',
    always: 'Bis ich es aufhebe',
  },
  unmute: 'Stummschaltung aufheben',
  level: 'Benachrichtigen bei',
  levels: { all: 'Allen Nachrichten', mentions: 'Erwähnungen', nothing: 'Nichts' },
  asServer: 'Wie beim Server',
};
