import { number, plural } from '../format.ts';

/** The settings of a server: how much it is used. */
export const usageSettings = {
  title: 'Usage',
  lead: 'Messages are counted from the event log, as far as you may see it; requests of API keys by the server itself.',
  messages: 'Messages',
  messagesLead: 'Sent in the last 30 days, in channels that you see, with replies in threads.',
  messagesSince: (count: string, since: string) =>
    `The latest ${count}, since ${since}. There are more before.`,
  noneYet: 'None found as far back as the log is read. There is more before.',
  readOn: 'Count more',
  quiet: 'No messages in these days',
  quietMore: 'They are counted here once somebody writes.',
  people: 'People',
  agents: 'Agents',
  date: 'Day',
  day: (date: string, people: number, agents: number) =>
    `${date}: ${plural(people, { one: '# from people', other: '# from people' })}, ${plural(agents, { one: '# from agents', other: '# from agents' })}`,
  authors: 'By author',
  authorsLead: 'Those who sent most of them.',
  author: 'Author',
  kind: 'Kind',
  kinds: { person: 'Person', agent: 'Agent' },
  count: 'Messages',
  keys: 'API keys',
  keysLead: 'Their requests in the last hours, and when each was last used.',
  keysClosed: (why: string) => `The keys are closed to you. ${why}`,
  countedSince: (when: string, hours: number) =>
    `Counted since ${when}, for ${plural(hours, { one: '# hour', other: '# hours' })} at most. A restart begins anew; of several nodes, each counts its own.`,
  noRequests: (hours: number) =>
    plural(hours, { one: 'No requests in the last hour.', other: 'No requests in the last # hours.' }),
  requests: 'Requests by the hour',
  hour: 'Hour',
  answered: 'Answered',
  refused: 'Refused (403)',
  limited: 'Limited (429)',
  turnedAway: 'Refused or limited',
  inHour: (hour: string, answered: number, refused: number, limited: number) =>
    `${hour}: ${number(answered)} answered, ${number(refused)} refused, ${number(limited)} limited`,
  again: 'Count anew',
  noKeys: 'There are no keys yet.',
  key: 'Key',
  actsAs: 'Acts as',
  lastUse: 'Last use',
  unused: 'Not yet',
  limits: 'Limits',
  limitsLead:
    'So many requests of each kind are taken from one user in any 60 seconds. Beyond, the answer is 429, and says when to try again.',
  what: 'Requests',
  perMinute: 'In 60 seconds',
  unlimited: 'No limit',
  limitKinds: {
    query: 'Reads',
    message: 'Messages',
    reaction: 'Reactions',
    thread: 'Threads',
    channel: 'Changes of channels',
    server: 'Changes of the server',
    attachment: 'Files',
  },
};
