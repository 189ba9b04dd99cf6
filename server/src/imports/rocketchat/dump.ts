import { documentsOf } from '../reading/bson.ts';
import { valuesOf } from '../reading/json.ts';
import { append, type Loose, sourceIdOf, textOf } from '../reading/loose.ts';
import { type Archive, ArchiveRefused } from '../row.ts';

/** The collections to read, with their file names. */
const collections = {
  users: /^users$/,
  rooms: /^(?:rocketchat_room|rooms)$/,
  messages: /^(?:rocketchat_message|messages)$/,
  subscriptions: /^(?:rocketchat_subscription|subscriptions)$/,
  emoji: /^(?:rocketchat_custom_emoji|custom_emoji)$/,
} as const;
type Collection = keyof typeof collections;

/** Maximum number of threads for which the time of the root message is kept. */
const MAX_ROOTS = 2_000_000;

export interface Dump {
  paths: Record<Collection, string | undefined>;
  users: Map<string, Loose>;
  rooms: Map<string, Loose>;
  /** The members of rooms. */
  members: Map<string, string[]>;
  emoji: Loose[];
  /** The times of the threads' root messages. */
  roots: Map<string, number>;
}

/**
 * Parses a MongoDB time to milliseconds since the Unix epoch. Accepts a number from BSON, or the format of
 * `mongoexport`. NaN if it is not a time.
 */
export function timeIn(value: Loose): number {
  const date = value?.$date ?? value;
  return typeof date === 'string'
    ? Date.parse(date)
    : Number(date?.$numberLong ?? (typeof date === 'number' ? date : Number.NaN));
}

export const isRemoved = (message: Loose): boolean => message?._hidden === true || message?.t === 'rm';

/** Yields the documents in a collection. */
export async function* documentsIn(archive: Archive, path: string | undefined): AsyncGenerator<Loose> {
  if (path === undefined) return;
  const bytes = await archive.open(path);
  yield* path.endsWith('.bson') ? documentsOf(bytes, path) : valuesOf(bytes, path);
}

/**
 * Reads everything except the contents of messages. Throws ArchiveRefused if rooms or messages are missing.
 */
export async function readDump(archive: Archive): Promise<Dump> {
  const paths = Object.fromEntries(
    Object.entries(collections).map(([name, pattern]) => [
      name,
      archive.paths.find(
        (path) => /\.(?:bson|json)$/.test(path) && pattern.test(path.replace(/^.*\/|\.\w+$/g, '')),
      ),
    ]),
  ) as Dump['paths'];
  if (paths.rooms === undefined || paths.messages === undefined)
    throw new ArchiveRefused(
      'This is not a Rocket.Chat dump: it needs users, rocketchat_room and rocketchat_message as BSON or JSON.',
    );
  const dump: Dump = {
    paths,
    users: new Map(),
    rooms: new Map(),
    members: new Map(),
    emoji: [],
    roots: new Map(),
  };
  for await (const user of documentsIn(archive, paths.users))
    if (sourceIdOf(user?._id) !== '') dump.users.set(sourceIdOf(user._id), user);
  for await (const room of documentsIn(archive, paths.rooms))
    if (sourceIdOf(room?._id) !== '') dump.rooms.set(sourceIdOf(room._id), room);
  for await (const each of documentsIn(archive, paths.subscriptions))
    append(dump.members, sourceIdOf(each?.rid), sourceIdOf(each?.u?._id));
  for await (const emoji of documentsIn(archive, paths.emoji))
    if (sourceIdOf(emoji?._id) !== '') dump.emoji.push(emoji);
  for await (const message of documentsIn(archive, paths.messages)) surveyMessage(message, dump);
  return dump;
}

function surveyMessage(message: Loose, { users, roots }: Dump): void {
  const author = sourceIdOf(message?.u?._id);
  if (author !== '' && !users.has(author))
    users.set(author, { ...message.u, isUnknown: true, username: textOf(message.u.username) });
  const isRoot = message?.tcount !== undefined && !isRemoved(message);
  if (isRoot && roots.size < MAX_ROOTS) roots.set(sourceIdOf(message._id), timeIn(message.ts));
}
