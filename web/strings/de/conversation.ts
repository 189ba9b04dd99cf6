import type { conversation as english } from '../en/conversation.ts';
import { number, plural } from '../format.ts';

export const conversation: typeof english = {
  label: (channel) => `Nachrichten in ${channel}`,
  live: 'Neue Nachrichten',
  loading: 'Nachrichten werden geladen',
  somebody: 'Jemand',
  said: (author, text) => `${author}: ${text}`,
  saidMany: (count) => plural(count, { one: '# neue Nachricht', other: '# neue Nachrichten' }),
  unreadable: 'Diese Nachrichten können gerade nicht gelesen werden',
  tryAgain: 'Erneut versuchen',
  change: 'Ändern',
  discard: 'Verwerfen',
  toPresent: 'Neueste Nachrichten',
  toNew: (count) =>
    count > 99
      ? `${number(99)}+ neue Nachrichten`
      : plural(count, { one: '# neue Nachricht', other: '# neue Nachrichten' }),
  fresh: 'Neu',
  toDate: (day) => `${day}: zu einem anderen Datum`,
  pickDate: 'Zu einem Datum gehen',
  monthBefore: 'Voriger Monat',
  monthAfter: 'Nächster Monat',
  gone: 'Diese Nachricht gibt es nicht mehr',
  beginning: (channel) => `Hier beginnt ${channel}`,
  beginningMore: 'Hier hat noch niemand geschrieben.',
  withFiles: (count) => plural(count, { one: 'mit einer Datei', other: 'mit # Dateien' }),
  refused: (why) => `Nicht gesendet: ${why}`,
  states: {
    waiting: 'Wird gleich gesendet',
    sending: 'Wird gesendet …',
    sent: 'Gesendet',
    retrying: 'Keine Verbindung. Sie wird gesendet, sobald es eine gibt.',
    old: 'Nicht gesendet. Sie ist schon etwas älter: Soll sie noch raus?',
  },
};
