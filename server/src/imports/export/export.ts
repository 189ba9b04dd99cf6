import { hash } from 'node:crypto';
import type { Reader } from '../../db/contract.ts';
import type { RowOf } from '../../db/schema.ts';
import { find, q } from '../../db/statements.ts';
import type { Files } from '../../files/files.ts';
import { type FileStore, NotStored } from '../../files/store.ts';
import { FIRST_ID } from '../../lib/deps.ts';
import { kinds } from '../row.ts';
import { lineFiles, MANIFEST, MANIFEST_SUM, type Manifest, type Scope } from './format.ts';
import { htmlOfIndex, htmlOfMessages, pathOfPage } from './html.ts';
import { type Copied, Lines, linesOfPage } from './lines.ts';
import { Output, type Progress } from './output.ts';
import { lineOfPlace, placesOf } from './places.ts';
import { messagesAfter, PAGE_ROWS, threadsOf, usersNamed } from './rows.ts';

/** An export cannot start: the folder has other files, or there is no such channel. */
export class ExportRefused extends Error {}

interface Given {
  db: Reader;
  files: Files;
  scope: Scope;
  folder: string;
  now(): number;
  newId(): string;
  /** Called with the number of messages so far. Throws to stop the export, which can be continued. */
  onProgress?(messages: number): void;
}

/**
 * Exports a server, a channel, or what a member wrote, to a folder. Interrupted, it continues where it stopped. Memory does
 * not grow with the number of messages. Throws ExportRefused, or StoreError.
 */
export async function exportTo(given: Given): Promise<Manifest['counts']> {
  const { db, scope, folder } = given;
  const places = await placesOf(db, scope);
  if (scope.channelId !== undefined && places.length === 0)
    throw new ExportRefused('there is no such channel');
  const output = new Output(folder);
  const start = { done: [], channelId: null, after: FIRST_ID, pages: 0, messages: 0, bytes: {} };
  const progress = await output.begin({ scope: JSON.stringify(scope), until: given.newId(), ...start });
  if (!progress)
    throw new ExportRefused(`the folder ${folder} is not empty, and has no unfinished export of the same`);
  try {
    const done = new Set(progress.done.map(({ id }) => id));
    for (const place of places) if (!done.has(place.id)) await exportPlace(given, output, progress, place);
    return await complete(given, output, progress);
  } finally {
    await output.close();
  }
}

const titleOf = ({ memberIds, name, id }: RowOf<'channel'>): string =>
  memberIds ? name || `Direct message ${id.slice(-12)}` : `#${name}`;

/** Exports a channel page by page. */
async function exportPlace(
  given: Given,
  output: Output,
  progress: Progress,
  place: RowOf<'channel'>,
): Promise<void> {
  const { db, scope } = given;
  const creatorId = place.memberIds ? undefined : scope.userId;
  if (progress.channelId !== place.id) {
    Object.assign(progress, { channelId: place.id, after: FIRST_ID, pages: 0, messages: 0 });
    // Of the channels, a member's own export has only those with messages of theirs.
    if (creatorId === undefined) await output.append(await headOf(db, place), progress);
    await output.save(progress);
  }
  for (let isLast = false; !isLast; ) {
    const { after, until } = progress;
    const page = await messagesAfter(db, { channelId: place.id, after, until, creatorId });
    isLast = page.messages.length < PAGE_ROWS;
    if (page.messages.length > 0) {
      const copied = await copyFiles(given, output, page.files);
      if (creatorId !== undefined)
        await output.append(await headOfOwn(db, place, page.messages, progress.pages === 0), progress);
      await output.append(linesOfPage(page, copied), progress);
      progress.pages++;
      const at = { id: place.id, title: titleOf(place), number: progress.pages, hasNext: !isLast };
      const html = htmlOfMessages(at, page, await namesIn(db, page.messages), copied);
      await output.write(pathOfPage(place.id, progress.pages), html);
    }
    progress.after = page.messages.at(-1)?.id ?? after;
    progress.messages += page.messages.length;
    if (isLast) {
      const { pages, messages } = progress;
      if (creatorId === undefined || pages > 0)
        progress.done.push({ id: place.id, title: titleOf(place), pages, messages });
      Object.assign(progress, { channelId: null, messages: 0 });
    }
    await output.save(progress);
    given.onProgress?.(progress.done.reduce((sum, { messages }) => sum + messages, progress.messages));
  }
}

const lineOfThread = ({ id, createdAt, channelId, messageId, name, creatorId, locked }: RowOf<'thread'>) => ({
  ...{ id, createdAt, channelId, messageId, name, creatorId, locked },
});

async function placeLine(db: Reader, place: RowOf<'channel'>) {
  const categories = await db.all(
    q.selectFrom('category').select(['id', 'name']).where('serverId', '=', place.serverId),
  );
  return lineOfPlace(db, place, new Map(categories.map(({ id, name }) => [id, name])));
}

/** The lines of a channel and of its threads. */
async function headOf(db: Reader, place: RowOf<'channel'>): Promise<Lines> {
  const lines = new Lines();
  const { file, row } = await placeLine(db, place);
  lines.add(file, row);
  for await (const page of threadsOf(db, place.id))
    for (const thread of page) lines.add('threads', lineOfThread(thread));
  return lines;
}

/** The lines of a channel of which only some messages are exported: without its members, and with the threads of these. */
async function headOfOwn(
  db: Reader,
  place: RowOf<'channel'>,
  messages: readonly RowOf<'message'>[],
  isFirst: boolean,
): Promise<Lines> {
  const lines = new Lines();
  const { file, row } = await placeLine(db, place);
  if (isFirst) lines.add(file, { ...row, memberIds: [] });
  const ids = new Set(messages.flatMap(({ threadId }) => threadId ?? []));
  if (ids.size === 0) return lines;
  const threads = await db.all(
    q
      .selectFrom('thread')
      .selectAll()
      .where('id', 'in', [...ids])
      .orderBy('id'),
  );
  for (const thread of threads) lines.add('threads', lineOfThread(thread));
  return lines;
}

async function namesIn(db: Reader, messages: readonly RowOf<'message'>[]): Promise<Map<string, string>> {
  const ids = [...new Set(messages.map(({ creatorId }) => creatorId))].map((id) => ({ id }));
  return new Map((await db.all(usersNamed(db.dialect, ids))).map(({ id, name }) => [id, name]));
}

async function copyFiles(
  { files }: Given,
  output: Output,
  ofMessages: ReadonlyMap<string, readonly RowOf<'attachment'>[]>,
): Promise<Map<string, Copied>> {
  const copied = new Map<string, Copied>();
  for (const file of [...ofMessages.values()].flat())
    copied.set(file.id, await copyFile(await files.store, output, file.id, file.bytes));
  return copied;
}

async function copyFile(store: FileStore, output: Output, id: string, bytes: number): Promise<Copied> {
  try {
    return await output.copy(await store.open(id));
  } catch (error) {
    if (error instanceof NotStored) return { sha256: null, bytes };
    throw error;
  }
}

/** Writes people, emoji, the index and the manifest. */
async function complete(given: Given, output: Output, progress: Progress): Promise<Manifest['counts']> {
  const { db, scope, now } = given;
  // Written again if the process is killed here.
  const isWhole = scope.channelId === undefined && scope.userId === undefined;
  const rest = new Lines();
  if (isWhole) await addEmoji(given, output, rest);
  await output.append(rest, progress);
  const ids = await peopleIn(output);
  const members = await membersOf(db, scope.serverId);
  const lines = new Lines();
  await addPeople(db, isWhole ? new Set([...ids, ...members]) : ids, { members, scope, ids }, lines);
  await output.append(lines, progress);
  await output.write('index.html', htmlOfIndex(progress.done));
  const counts = await countsOf(output);
  const files = await output.summed();
  const manifest: Manifest = {
    ...{ format: 'palaver-export', version: 1, date: new Date(now()).toISOString(), counts, files },
  };
  const text = `${JSON.stringify(manifest, null, 1)}\n`;
  await output.write(MANIFEST, text);
  await output.write(MANIFEST_SUM, `${hash('sha256', text, 'hex')}  ${MANIFEST}\n`);
  await output.finish();
  return counts;
}

async function addEmoji({ db, files, scope }: Given, output: Output, lines: Lines): Promise<void> {
  const rows = await db.all(
    q.selectFrom('emoji').selectAll().where('serverId', '=', scope.serverId).orderBy('id'),
  );
  for (const { id, createdAt, name, url, creatorId } of rows) {
    const pictureId = url.slice(url.lastIndexOf('/') + 1);
    const picture = await db.first(find('picture', { id: pictureId }));
    const copied = picture && (await copyFile(await files.store, output, pictureId, picture.bytes));
    const path = copied?.sha256 ? `files/${copied.sha256}` : null;
    lines.add('emoji', { id, createdAt, name, creatorId, path });
  }
}

/** The users that the lines name. */
async function peopleIn(output: Output): Promise<Set<string>> {
  const ids = new Set<string>();
  for (const file of [
    'channels',
    'conversations',
    'threads',
    'messages',
    'reactions',
    'pins',
    'files',
    'emoji',
  ] as const)
    for await (const { creatorId, userId, memberIds } of output.lines(file)) {
      if (typeof creatorId === 'string') ids.add(creatorId);
      if (typeof userId === 'string') ids.add(userId);
      if (Array.isArray(memberIds)) for (const id of memberIds) ids.add(id);
    }
  return ids;
}

const membersOf = async (db: Reader, serverId: string): Promise<ReadonlySet<string>> =>
  new Set(
    (await db.all(q.selectFrom('serverMember').select('userId').where('serverId', '=', serverId))).map(
      ({ userId }) => userId,
    ),
  );

/**
 * Lists people by id. An owner of whom the server has nothing else is left out: a server that is imported gets an owner of
 * its own.
 */
async function addPeople(
  db: Reader,
  all: ReadonlySet<string>,
  { members, scope, ids }: { members: ReadonlySet<string>; scope: Scope; ids: ReadonlySet<string> },
  lines: Lines,
): Promise<void> {
  const { creatorId: ownerId } = (await db.first(find('server', { id: scope.serverId }))) ?? {
    creatorId: '',
  };
  const sorted = [...all].filter((id) => id !== ownerId || ids.has(id)).sort();
  for (let at = 0; at < sorted.length; at += PAGE_ROWS) {
    const some = sorted.slice(at, at + PAGE_ROWS).map((id) => ({ id }));
    const users = await db.all(usersNamed(db.dialect, some));
    for (const { id, createdAt, username, name, type } of users.sort((one, other) =>
      one.id < other.id ? -1 : 1,
    ))
      lines.add('people', { id, createdAt, username, name, type, isMember: members.has(id) });
  }
}

/** Rows by kind. Reactions without names count by their number. */
async function countsOf(output: Output): Promise<Manifest['counts']> {
  const counts: Manifest['counts'] = {};
  for (const name of lineFiles) {
    let count = 0;
    for await (const row of output.lines(name)) count += name === 'reactions' ? Number(row.count) : 1;
    counts[name] = count;
  }
  return Object.fromEntries([...kinds, 'threads'].map((kind) => [kind, counts[kind] ?? 0]));
}
