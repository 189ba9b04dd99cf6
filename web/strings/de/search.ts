import type { search as english } from '../en/search.ts';
import { plural } from '../format.ts';

export const search: typeof english = {
  search: 'Nachrichten suchen',
  prompt: 'Nachrichten suchen',
  clear: 'Suche leeren',
  results: 'Ergebnisse',
  filters: 'Filter',
  apply: 'Suchen',
  remove: (filter) => `Filter entfernen: ${filter}`,
  inHere: (channel) => `in ${channel}`,
  chips: {
    in: (value) => `in ${value}`,
    from: (value) => `von @${value}`,
    after: (value) => `nach dem ${value}`,
    before: (value) => `vor dem ${value}`,
  },
  channel: 'Kanal',
  everywhere: 'Alle Kanäle',
  author: 'Von wem',
  authorHint: 'Der Benutzername',
  after: 'Nach dem',
  before: 'Vor dem',
  kind: 'Art',
  kinds: {
    all: 'Alle Nachrichten',
    person: 'Von Personen',
    agent: 'Von Agenten',
    thread: 'Antworten in Threads',
  },
  inThread: 'in einem Thread:',
  noText: 'Kein Text',
  found: (count) =>
    plural(count, { zero: 'Nichts gefunden', one: '# Nachricht gefunden', other: '# Nachrichten gefunden' }),
  foundFirst: (count) =>
    plural(count, {
      zero: 'Nichts gefunden',
      one: '# Nachricht gefunden',
      other: 'Die ersten # Nachrichten gefunden',
    }),
  none: 'Nichts gefunden',
  noneMore: 'Alle Wörter müssen in einer Nachricht stehen. Der Anfang eines Wortes reicht.',
  noPerson: (name) => `Niemand hat hier den Benutzernamen ${name}.`,
  noChannel: (name) => `Hier gibt es keinen Kanal ${name}, den du siehst.`,
  needsWords: 'Gib ein Wort zum Suchen ein, oder wähle einen Kanal.',
  recent: 'Letzte Suchen',
  forget: 'Leeren',
  hints: [
    { form: 'ver pla', text: 'findet „veröffentlichung planen“' },
    { form: '"unser plan"', text: 'diese Wörter, in dieser Reihenfolge' },
    { form: 'from:ada', text: 'von einer Person' },
    { form: 'in:allgemein', text: 'in einem Kanal' },
    { form: 'after:2026-11-01', text: 'nach Tag; auch before:' },
  ],
};
