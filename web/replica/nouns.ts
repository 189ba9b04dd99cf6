import { type Index, Table } from './table.ts';
import type { Indexes, Noun, OwnNoun, Rows } from './types.ts';

type Of<N extends Noun> = Readonly<Record<Indexes[N], Index<Rows[N]>>>;

const by = <Row>(name: keyof Row): Index<Row> => ({ of: (row) => (row[name] as string | null) ?? null });
const byPosition = (one: { position: number }, other: { position: number }) => one.position - other.position;
const all = { of: () => '' };
const newestFirst = (one: { id: string }, other: { id: string }) => (one.id > other.id ? -1 : 1);

/** The indexes of every noun. */
const indexes: { readonly [N in Noun]: Of<N> } = {
  server: { all },
  channel: {
    serverId: { of: (row) => (row.kind === 'dm' ? null : row.serverId), order: byPosition },
    direct: { of: (row) => (row.kind === 'dm' ? row.serverId : null) },
  },
  category: { serverId: { of: (row) => row.serverId, order: byPosition } },
  emoji: { serverId: by('serverId') },
  role: { serverId: by('serverId') },
  message: { channelId: by('channelId'), threadId: by('threadId') },
  user: { username: by('username') },
  serverMember: {
    serverId: by('serverId'),
    userId: by('userId'),
    'serverId+userId': { of: (row) => `${row.serverId}+${row.userId}` },
  },
  reaction: { messageId: by('messageId') },
  thread: { channelId: by('channelId'), messageId: by('messageId') },
  pin: { channelId: { of: (row) => row.channelId, order: newestFirst }, messageId: by('messageId') },
  userRole: { serverId: by('serverId'), userId: by('userId'), roleId: by('roleId') },
  invite: { serverId: by('serverId') },
  notification: {
    serverId: { of: (row) => row.serverId, order: newestFirst },
    all: { ...all, order: newestFirst },
  },
  serverBan: { serverId: by('serverId') },
  webhook: { serverId: by('serverId') },
  secret: { serverId: by('serverId') },
  app: { serverId: by('serverId') },
  appInstall: { serverId: by('serverId') },
  flow: { serverId: by('serverId') },
  attachment: { messageId: by('messageId') },
  command: { serverId: by('serverId') },
  interaction: {
    messageId: by('messageId'),
    command: { of: (row) => (row.messageId === null ? (row.threadId ?? row.channelId) : null) },
  },
  block: { blockedId: by('blockedId'), all },
  saved: { messageId: by('messageId'), all: { ...all, order: newestFirst } },
  scheduledMessage: { channelId: by('channelId'), all },
};

/** Nouns that each snapshot contains in full, except for older direct messages. */
export const ofSnapshots: ReadonlySet<Noun> = new Set<Noun>([
  'server',
  'channel',
  'category',
  'emoji',
  'role',
]);

/** Nouns that belong to the user, not to a server, so they are not dropped with a server. */
export const ofPerson: ReadonlySet<Noun> = new Set<OwnNoun>(['block', 'saved', 'scheduledMessage']);

/** Nouns whose rows are deleted with their channel, without events. Messages are also deleted with their thread. */
export const ofChannels = ['thread', 'pin', 'message'] as const satisfies readonly Noun[];

/** Nouns whose rows are deleted with their message, without events. */
export const ofMessages = ['reaction', 'pin'] as const satisfies readonly Noun[];

export const nouns = Object.keys(indexes) as readonly Noun[];

export type Tables = { readonly [N in Noun]: Table<Rows[N]> };

/** Events about a streaming message lack its text, and a read may return less of it than is already known. */
const withText = (old: Rows['message'], row: Rows['message']): Rows['message'] =>
  row.stream === 'open' && old.content.length > row.content.length ? { ...row, content: old.content } : row;

/** Creates empty tables. `changed` is called with `noun:id` and `noun@index=value`. */
export function newTables(changed: (key: string) => void): Tables {
  const tables = nouns.map((noun) => [
    noun,
    new Table(
      indexes[noun] as Of<never>,
      (key) => changed(`${noun}${key}`),
      noun === 'message' ? (withText as never) : undefined,
    ),
  ]);
  return Object.fromEntries(tables) as Tables;
}
