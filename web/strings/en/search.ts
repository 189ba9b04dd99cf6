import { plural } from '../format.ts';

/** The texts of the search. */
export const search = {
  search: 'Search messages',
  prompt: 'Search messages',
  clear: 'Clear the search',
  results: 'Results',
  filters: 'Filters',
  apply: 'Search',
  remove: (filter: string) => `Remove the filter: ${filter}`,
  inHere: (channel: string) => `in ${channel}`,
  chips: {
    in: (value: string) => `in ${value}`,
    from: (value: string) => `from @${value}`,
    after: (value: string) => `after ${value}`,
    before: (value: string) => `before ${value}`,
  },
  channel: 'Channel',
  everywhere: 'All channels',
  author: 'Author',
  authorHint: 'Their username',
  after: 'After',
  before: 'Before',
  kind: 'Kind',
  kinds: {
    all: 'All messages',
    person: 'By people',
    agent: 'By agents',
    thread: 'Replies in threads',
  },
  inThread: 'in a thread:',
  noText: 'No text',
  found: (count: number) =>
    plural(count, { zero: 'Nothing found', one: '# message found', other: '# messages found' }),
  foundFirst: (count: number) =>
    plural(count, { zero: 'Nothing found', one: '# message found', other: 'The first # messages found' }),
  none: 'Nothing found',
  noneMore: 'All words have to be in a message. The beginning of a word is enough.',
  noPerson: (name: string) => `Nobody here has the username ${name}.`,
  noChannel: (name: string) => `There is no channel ${name} here that you see.`,
  needsWords: 'Add a word to search for, or choose a channel.',
  recent: 'Latest searches',
  forget: 'Clear',
  hints: [
    { form: 'rel pla', text: 'finds “release plan”' },
    { form: '"release plan"', text: 'these words, in this order' },
    { form: 'from:ada', text: 'by a person' },
    { form: 'in:general', text: 'in a channel' },
    { form: 'after:2026-11-01', text: 'by day; also before:' },
  ],
};
