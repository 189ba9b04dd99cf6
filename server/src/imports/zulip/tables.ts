import { partsOf } from '../reading/json.ts';
import { append, type Loose, sourceIdOf } from '../reading/loose.ts';
import { type Archive, ArchiveRefused } from '../row.ts';

/** Zulip's recipient types: a person, a channel, or a group. */
const [PERSON, CHANNEL, GROUP] = [1, 2, 3];

export interface Zulip {
  root: string;
  messagePaths: string[];
  users: Map<string, Loose>;
  channels: Map<string, Loose>;
  emoji: Loose[];
  /**
   * The destinations of messages, by recipient id. A message to a person belongs to a conversation with its
   * author.
   */
  recipients: Map<string, { kind: 'person' | 'channel' | 'group'; id: string }>;
  /** The people subscribed to each recipient. */
  subscribers: Map<string, string[]>;
  /** Reactions by message. Exports store them separately, so all are kept in memory. */
  reactions: Map<string, Loose[]>;
}

/** Maximum reactions, which take about 500 MB. */
const MAX_REACTIONS = 3_000_000;

/**
 * Reads `realm.json`, which contains all tables except messages and files. Throws ArchiveRefused if it is
 * missing.
 */
export async function readTables(archive: Archive): Promise<Zulip> {
  const realm = archive.paths
    .filter((path) => /(?:^|\/)realm\.json$/.test(path))
    .toSorted((a, b) => a.split('/').length - b.split('/').length)[0];
  if (realm === undefined) throw new ArchiveRefused('This is not a Zulip export: it has no realm.json.');
  const root = realm.slice(0, -'realm.json'.length);
  const zulip: Zulip = {
    root,
    messagePaths: archive.paths.filter(
      (path) => path.startsWith(root) && /^messages-\d+\.json$/.test(path.slice(root.length)),
    ),
    users: new Map(),
    channels: new Map(),
    emoji: [],
    recipients: new Map(),
    subscribers: new Map(),
    reactions: new Map(),
  };
  let reactions = 0;
  for await (const { key, value } of partsOf(await archive.open(realm), realm)) {
    if (key === 'zerver_reaction' && ++reactions > MAX_REACTIONS)
      throw new ArchiveRefused('The archive has too many reactions.');
    addRow(zulip, key, value);
  }
  return zulip;
}

function addRow(
  { users, channels, emoji, recipients, subscribers, reactions }: Zulip,
  table: string | null,
  row: Loose,
): void {
  const id = sourceIdOf(row?.id);
  switch (table) {
    case 'zerver_userprofile':
    case 'zerver_userprofile_crossrealm':
    case 'zerver_userprofile_mirrordummy':
      if (id !== '') users.set(id, { ...row, isOfRealm: table === 'zerver_userprofile' });
      break;
    case 'zerver_stream':
      if (id !== '') channels.set(id, row);
      break;
    case 'zerver_reaction':
      append(reactions, sourceIdOf(row?.message), row);
      break;
    case 'zerver_realmemoji':
      emoji.push(row);
      break;
    case 'zerver_recipient':
      if (row?.type === PERSON || row?.type === CHANNEL || row?.type === GROUP)
        recipients.set(id, {
          kind: row.type === PERSON ? 'person' : row.type === CHANNEL ? 'channel' : 'group',
          id: sourceIdOf(row.type_id),
        });
      break;
    case 'zerver_subscription':
      if (row?.active !== false)
        append(subscribers, sourceIdOf(row?.recipient), sourceIdOf(row?.user_profile));
  }
}

/** Yields the messages of an export, in the order of the files. */
export async function* messagesOf(archive: Archive, zulip: Zulip): AsyncGenerator<Loose> {
  for (const path of zulip.messagePaths)
    for await (const { key, value } of partsOf(await archive.open(path), path))
      if (key === 'zerver_message' && sourceIdOf(value?.id) !== '') yield value;
}
