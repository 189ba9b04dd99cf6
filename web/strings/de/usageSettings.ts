import type { usageSettings as english } from '../en/usageSettings.ts';
import { number, plural } from '../format.ts';

export const usageSettings: typeof english = {
  title: 'Nutzung',
  lead: 'Nachrichten werden aus dem Ereignisprotokoll gezählt, soweit du es sehen darfst; Anfragen von API-Schlüsseln vom Server selbst.',
  messages: 'Nachrichten',
  messagesLead: 'Gesendet in den letzten 30 Tagen, in Kanälen, die du siehst, mit den Antworten in Threads.',
  messagesSince: (count, since) => `Die letzten ${count}, seit ${since}. Davor gibt es mehr.`,
  noneYet: 'Keine gefunden, so weit das Protokoll gelesen ist. Davor gibt es mehr.',
  readOn: 'Mehr zählen',
  quiet: 'Keine Nachrichten in diesen Tagen',
  quietMore: 'Sie werden hier gezählt, sobald jemand schreibt.',
  people: 'Personen',
  agents: 'Agenten',
  date: 'Tag',
  day: (date, people, agents) =>
    `${date}: ${plural(people, { one: '# von Personen', other: '# von Personen' })}, ${plural(agents, { one: '# von Agenten', other: '# von Agenten' })}`,
  authors: 'Nach Absender',
  authorsLead: 'Die meisten kommen von diesen.',
  author: 'Absender',
  kind: 'Art',
  kinds: { person: 'Person', agent: 'Agent' },
  count: 'Nachrichten',
  keys: 'API-Schlüssel',
  keysLead: 'Ihre Anfragen in den letzten Stunden, und wann jeder zuletzt benutzt wurde.',
  keysClosed: (why) => `Die Schlüssel kannst du nicht sehen. ${why}`,
  countedSince: (when, hours) =>
    `Gezählt seit ${when}, höchstens ${plural(hours, { one: '# Stunde', other: '# Stunden' })} lang. Ein Neustart beginnt von vorn; von mehreren Nodes zählt jeder seine eigenen.`,
  noRequests: (hours) =>
    plural(hours, {
      one: 'Keine Anfragen in der letzten Stunde.',
      other: 'Keine Anfragen in den letzten # Stunden.',
    }),
  requests: 'Anfragen je Stunde',
  hour: 'Stunde',
  answered: 'Beantwortet',
  refused: 'Abgelehnt (403)',
  limited: 'Begrenzt (429)',
  turnedAway: 'Abgelehnt oder begrenzt',
  inHour: (hour, answered, refused, limited) =>
    `${hour}: ${number(answered)} beantwortet, ${number(refused)} abgelehnt, ${number(limited)} begrenzt`,
  again: 'Neu zählen',
  noKeys: 'Es gibt noch keine Schlüssel.',
  key: 'Schlüssel',
  actsAs: 'Handelt für',
  lastUse: 'Zuletzt benutzt',
  unused: 'Noch nicht',
  limits: 'Grenzen',
  limitsLead:
    'So viele Anfragen jeder Art werden von einem Konto in jeweils 60 Sekunden angenommen. Darüber ist die Antwort 429 und sagt, wann es weitergeht.',
  what: 'Anfragen',
  perMinute: 'In 60 Sekunden',
  unlimited: 'Keine Grenze',
  limitKinds: {
    query: 'Lesen',
    message: 'Nachrichten',
    reaction: 'Reaktionen',
    thread: 'Threads',
    channel: 'Änderungen an Kanälen',
    server: 'Änderungen am Server',
    attachment: 'Dateien',
  },
};
