import { linesOf } from '../reading/json.ts';
import { append, type Loose, listOf, sourceIdOf } from '../reading/loose.ts';
import { type Archive, ArchiveRefused } from '../row.ts';

/**
 * The data that is needed from an export before its posts are read. Mattermost's exports use names as ids.
 */
export interface Survey {
  /** Paths of the JSON Lines files. */
  paths: string[];
  teams: Map<string, Loose>;
  /** Channels by team and channel name (`channelKey`). */
  channels: Map<string, Loose>;
  members: Map<string, string[]>;
  users: Map<string, Loose>;
  emoji: Loose[];
  /** The members of each direct message, keyed by their names, joined with commas. */
  conversations: Map<string, string[]>;
}

export const channelKey = (team: Loose, channel: Loose): string =>
  `${sourceIdOf(team)}/${sourceIdOf(channel)}`;

/** Returns the members of a direct message, sorted. */
export const membersOf = (record: Loose): string[] => {
  const found =
    record?.channel_members ?? record?.members ?? listOf(record?.participants).map((each) => each?.username);
  return [...new Set(listOf(found).map(sourceIdOf))].filter((name) => name !== '').sort();
};

/** Parses the lines of the files. */
export async function* recordsAt(archive: Archive, paths: readonly string[]): AsyncGenerator<Loose> {
  for (const path of paths) yield* linesOf(await archive.open(path), path);
}

/**
 * Reads all lines once. Throws ArchiveRefused if no file begins with the version line of a Mattermost bulk
 * export.
 */
export async function surveyOf(archive: Archive): Promise<Survey> {
  const survey: Survey = {
    paths: [],
    teams: new Map(),
    channels: new Map(),
    members: new Map(),
    users: new Map(),
    emoji: [],
    conversations: new Map(),
  };
  for (const path of archive.paths) if (await isBulk(archive, path)) survey.paths.push(path);
  if (survey.paths.length === 0)
    throw new ArchiveRefused('This is not a Mattermost bulk export: no file begins with a version line.');
  for await (const line of recordsAt(archive, survey.paths)) surveyLine(line, survey);
  return survey;
}

async function isBulk(archive: Archive, path: string): Promise<boolean> {
  // Skips attachments, which are in a folder `data`.
  if (!/\.jsonl?$/i.test(path) || path.includes('/data/')) return false;
  for await (const line of linesOf(startOf(await archive.open(path)), path)) return line?.type === 'version';
  return false;
}

/** Returns the first line. Files with a very long first line are skipped. */
async function* startOf(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  for await (const chunk of bytes) {
    const end = chunk.indexOf(0x0a);
    yield end === -1 ? Buffer.from('{}\n') : chunk.subarray(0, end + 1);
    return;
  }
}

function surveyLine(line: Loose, { teams, channels, members, users, emoji, conversations }: Survey): void {
  const record = line?.[sourceIdOf(line?.type)];
  const named = (name: Loose) => {
    const username = sourceIdOf(name);
    if (username !== '' && !users.has(username)) users.set(username, { username, isUnknown: true });
  };
  switch (line?.type) {
    case 'team':
      return void teams.set(sourceIdOf(record?.name), record);
    case 'channel':
      return void channels.set(channelKey(record?.team, record?.name), record);
    case 'user':
    case 'bot':
      users.set(sourceIdOf(record?.username), { ...record, isBot: line.type === 'bot' });
      for (const team of listOf(record?.teams))
        for (const channel of listOf(team?.channels))
          append(members, channelKey(team.name, channel?.name), sourceIdOf(record.username));
      return;
    case 'emoji':
      return void emoji.push(record);
    case 'post':
    case 'direct_post':
      for (const { user } of [record, ...listOf(record?.replies)].filter(Boolean)) named(user);
  }
  if (line?.type === 'direct_channel' || line?.type === 'direct_post') {
    const names = membersOf(record);
    names.forEach(named);
    conversations.set(names.join(), names);
  }
}
