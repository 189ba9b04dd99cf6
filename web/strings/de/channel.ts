import type { channel as english } from '../en/channel.ts';
import { list, plural } from '../format.ts';

export const channel: typeof english = {
  channels: 'Kanäle',
  none: 'Hier gibt es keinen Kanal, den du siehst.',
  noneYet: 'Gesprochen wird in Kanälen. Erstelle den ersten.',
  create: 'Kanal erstellen',
  rowWith: (name, facts) => `${name}: ${list(facts)}`,
  facts: {
    private: 'privat',
    readonly: 'nur lesen',
    mentions: (count) => plural(count, { one: '# Erwähnung', other: '# Erwähnungen' }),
    unread: (count) => plural(count, { one: '# ungelesene Nachricht', other: '# ungelesene Nachrichten' }),
    stopped: 'eine Nachricht, die nicht gesendet wurde',
    draft: 'ein Entwurf',
    muted: 'stummgeschaltet',
  },
  back: 'Zurück zu den Kanälen',
  pins: 'Angepinnte Nachrichten',
  threads: 'Threads',
  members: 'Mitglieder',
  search: 'Suche',
  more: 'Mehr zu diesem Kanal',
  moreOf: (name) => `Mehr zu ${name}`,
};
