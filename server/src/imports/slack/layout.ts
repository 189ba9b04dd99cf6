import { wholeOf } from '../reading/json.ts';
import { append, type Loose, listOf, sourceIdOf, textOf } from '../reading/loose.ts';
import { type Archive, ArchiveRefused } from '../row.ts';

/** The files that list channels in an export, each with the kind of its channels. */
const lists = {
  'channels.json': 'public',
  'groups.json': 'private',
  'mpims.json': 'group',
  'dms.json': 'direct',
} as const;

/** A channel of the export, with the paths of its messages in chronological order. */
export interface SlackChannel {
  id: string;
  kind: (typeof lists)[keyof typeof lists];
  record: Loose;
  days: string[];
}

export interface SlackExport {
  users: Loose[];
  channels: SlackChannel[];
  /** The paths of messages in folders that are not in any list of channels. */
  strayDays: string[];
  /** Paths of files by their Slack id, if a tool has added them to the export. */
  files: Map<string, string>;
}

const DAY = /^(.*)\/\d{4}-\d{2}-\d{2}\.json$/;
/**
 * Matches files that were added by slackdump (`attachments/F01-name`) and slack-advanced-exporter
 * (`__uploads/F01/name`).
 */
const UPLOAD = /(?:^|\/)(?:attachments\/|__uploads\/)(F[A-Z0-9]{2,20})[-/][^/]+$/;

/** Finds the lists and folders. Throws ArchiveRefused if this is not a Slack export. */
export async function readLayout(archive: Archive): Promise<SlackExport> {
  const root = rootOf(archive.paths);
  const days = new Map<string, string[]>();
  const files = new Map<string, string>();
  for (const path of archive.paths) {
    const folder = DAY.exec(path)?.[1];
    const file = UPLOAD.exec(path)?.[1];
    if (folder !== undefined) append(days, folder, path);
    else if (file !== undefined) files.set(file, path);
  }
  const channels = new Map<string, SlackChannel>();
  for (const [name, kind] of Object.entries(lists)) {
    for (const record of await listAt(archive, root + name)) {
      const id = sourceIdOf(record?.id);
      if (id === '' || channels.has(id)) continue;
      const folders = [textOf(record.name), textOf(record.name_normalized), id];
      const folder = folders.map((each) => root + each).find((each) => days.has(each));
      channels.set(id, {
        id,
        kind: record.is_mpim === true ? 'group' : kind,
        record,
        days: folder === undefined ? [] : (days.get(folder) ?? []),
      });
      if (folder !== undefined) days.delete(folder);
    }
  }
  const users = await listAt(archive, `${root}users.json`);
  return { users, channels: [...channels.values()], strayDays: [...days.values()].flat(), files };
}

/** Returns the folder of the export in the archive, with a trailing slash; empty for the root. */
function rootOf(paths: readonly string[]): string {
  const known = paths.filter((path) => Object.hasOwn(lists, path.slice(path.lastIndexOf('/') + 1)));
  const [first] = known.toSorted((a, b) => a.split('/').length - b.split('/').length);
  if (first === undefined)
    throw new ArchiveRefused('This is not a Slack export: it has no list of channels.');
  return first.slice(0, first.lastIndexOf('/') + 1);
}

async function listAt(archive: Archive, path: string): Promise<Loose[]> {
  return archive.has(path) ? listOf(await wholeOf(await archive.open(path), path)) : [];
}
