import type { channel as english } from '../en/channel.ts';
import { list, number, plural } from '../format.ts';

export const channel: typeof english = {
  channels: 'Kanäle',
  none: 'Hier gibt es keinen Kanal, den du siehst.',
  noneYet: 'Gesprochen wird in Kanälen. Erstelle den ersten.',
  create: 'Kanal erstellen',
  upTo99: (count) => (count > 99 ? '99+' : number(count)),
  rowLabel: (row) => {
    const parts = [
      row.isPrivate && 'privat',
      row.readonly && 'nur lesen',
      row.mentions > 0 && plural(row.mentions, { one: '# Erwähnung', other: '# Erwähnungen' }),
      row.unread > 0 &&
        plural(row.unread, { one: '# ungelesene Nachricht', other: '# ungelesene Nachrichten' }),
      row.hasStopped && 'eine Nachricht, die nicht gesendet wurde',
      row.hasDraft && 'ein Entwurf',
      row.muted && 'stummgeschaltet',
    ].filter((part) => part !== false);
    return parts.length > 0 ? `${row.name}: ${list(parts)}` : row.name;
  },
  back: 'Zurück zu den Kanälen',
  pins: 'Angepinnte Nachrichten',
  threads: 'Threads',
  members: 'Mitglieder',
  search: 'Suche',
  more: 'Mehr zu diesem Kanal',
  moreOf: (name) => `Mehr zu ${name}`,
};
