import { partsOf } from '../reading/json.ts';
import { type Loose, listOf, sourceIdOf, textOf, timeOf } from '../reading/loose.ts';
import { type Archive, ArchiveRefused } from '../row.ts';

/** A file from DiscordChatExporter: a channel or thread, or a part of one. */
export interface ExportFile {
  path: string;
  guild: Loose;
  channel: Loose;
  exportedAt: string;
}

/**
 * Maximum messages whose times are kept because they differ from those in their Discord ids. For further such
 * messages, the new id contains the time from the Discord id.
 */
const MAX_TIMES = 1_000_000;

/** The data that is needed from an export before its messages are read. */
export interface Survey {
  files: ExportFile[];
  people: Map<string, Loose>;
  emoji: Map<string, Loose>;
  times: Map<string, number>;
  /** The authors in each channel: exports have no other information about members. */
  authors: Map<string, Set<string>>;
  /** The root messages of threads, by thread id. */
  starters: Map<string, string>;
}

/** Returns the time in a Discord id (snowflake), in milliseconds since the Unix epoch. */
export const timeOfSnowflake = (id: string): number =>
  /^\d{1,20}$/.test(id) ? Number((BigInt(id) >> 22n) + 1_420_070_400_000n) : 0;

export const timeOfMessage = (message: Loose): number => timeOf(Date.parse(textOf(message?.timestamp)));

/** Yields the messages in a file. */
export async function* messagesAt(archive: Archive, path: string): AsyncGenerator<Loose> {
  for await (const { key, value } of partsOf(await archive.open(path), path))
    if (key === 'messages' && sourceIdOf(value?.id) !== '') yield value;
}

/** Reads all files once. Throws ArchiveRefused if none of them is an export of a channel. */
export async function surveyOf(archive: Archive): Promise<Survey> {
  const survey: Survey = {
    files: [],
    people: new Map(),
    emoji: new Map(),
    times: new Map(),
    authors: new Map(),
    starters: new Map(),
  };
  for (const path of archive.paths)
    if (/\.json$/i.test(path) && !/_Files\//i.test(path)) await surveyFile(archive, path, survey);
  if (survey.files.length === 0)
    throw new ArchiveRefused(
      'This is not an export from DiscordChatExporter: it has no JSON file of a channel.',
    );
  // If a channel was exported twice, the newer export takes precedence.
  survey.files.sort((a, b) => (a.exportedAt < b.exportedAt ? 1 : a.exportedAt > b.exportedAt ? -1 : 0));
  return survey;
}

async function surveyFile(archive: Archive, path: string, survey: Survey): Promise<void> {
  const file: ExportFile = { path, guild: undefined, channel: undefined, exportedAt: '' };
  const authors = new Set<string>();
  for await (const { key, value } of partsOf(await archive.open(path), path)) {
    if (key === 'guild') file.guild = value;
    else if (key === 'channel') file.channel = value;
    else if (key === 'exportedAt') file.exportedAt = textOf(value);
    else if (file.guild === undefined) return;
    else if (key === 'messages') surveyMessage(value, survey, authors);
  }
  const id = sourceIdOf(file.channel?.id);
  if (id === '') return;
  survey.files.push(file);
  survey.authors.set(id, new Set([...(survey.authors.get(id) ?? []), ...authors]));
}

function surveyMessage(
  message: Loose,
  { people, emoji, times, starters }: Survey,
  authors: Set<string>,
): void {
  const id = sourceIdOf(message?.id);
  if (id === '') return;
  const time = timeOfMessage(message);
  if (time !== timeOfSnowflake(id) && times.size < MAX_TIMES) times.set(id, time);
  const author = sourceIdOf(message.author?.id);
  if (author !== '') authors.add(author);
  const users = listOf(message.reactions).flatMap((reaction) => listOf(reaction?.users));
  for (const person of [message.author, ...listOf(message.mentions), ...users]) {
    const personId = sourceIdOf(person?.id);
    if (personId !== '' && !people.has(personId)) people.set(personId, person);
  }
  const inReactions = listOf(message.reactions).map((reaction) => reaction?.emoji);
  for (const one of [...inReactions, ...listOf(message.inlineEmojis)])
    if (sourceIdOf(one?.id) !== '' && !emoji.has(sourceIdOf(one.id))) emoji.set(sourceIdOf(one.id), one);
  const thread = message.type === 'ThreadCreated' ? sourceIdOf(message.reference?.channelId) : '';
  if (thread !== '') starters.set(thread, id);
}
