import type { Reader } from '../../db/contract.ts';
import type { RowOf } from '../../db/schema.ts';
import { find, q } from '../../db/statements.ts';
import type { Files } from '../../files/files.ts';
import { FIRST_ID } from '../../lib/deps.ts';
import { copyFile, copyFiles } from './copied.ts';
import { lineFiles, type Manifest, type Scope } from './format.ts';
import { htmlOfIndex, htmlOfMessages, pathOfPage } from './html.ts';
import { Lines, linesOfPage } from './lines.ts';
import { addPeople, peopleIn, seal } from './manifest.ts';
import { Output, type Progress } from './output.ts';
import { lineOfPlace, placesOf } from './places.ts';
import { ExportRefused } from './refused.ts';
import { lineOfThread, messagesAfter, PAGE_ROWS, threadsOf, usersNamed } from './rows.ts';

/** The data that every export needs. */
export interface ExportGiven {
  db: Reader;
  files: Files;
  folder: string;
  /** Maximum bytes of all files. Unlimited if omitted. */
  maxBytes?: number;
  now(): number;
  newId(): string;
  /** Called with the number of messages so far. Can throw to stop the export, which can be resumed later. */
  onProgress?(messages: number): void | Promise<void>;
}

type Given = ExportGiven & { scope: Scope };

/**
 * Exports a server or a channel to a folder. Resumes an interrupted export. Memory use does not grow with the
 * number of messages. Throws ExportRefused, or StoreError.
 */
export async function exportTo(given: Given): Promise<Manifest['counts']> {
  const { db, scope, folder, maxBytes = Number.POSITIVE_INFINITY } = given;
  const places = await placesOf(db, scope);
  if (scope.channelId !== undefined && places.length === 0)
    throw new ExportRefused('the channel does not exist');
  const output = new Output(folder, { names: lineFiles, maxBytes });
  try {
    const progress = await output.begin(freshProgress(scope, given.newId()));
    if (!progress) throw otherFolder(folder);
    const done = new Set(progress.done.map(({ id }) => id));
    for (const place of places) if (!done.has(place.id)) await exportPlace(given, output, progress, place);
    return await complete(given, output, progress);
  } finally {
    await output.close();
  }
}

/** Returns the initial progress of an export. */
export const freshProgress = (scope: object, until: string): Progress => ({
  ...{ scope: JSON.stringify(scope), until, done: [], channelId: null },
  ...{ after: FIRST_ID, pages: 0, messages: 0, bytes: {} },
});

/** Creates the error for a folder in which this export cannot start. */
export const otherFolder = (folder: string): ExportRefused =>
  new ExportRefused(
    `the folder ${folder} is not empty. Choose an empty folder, or the folder of an unfinished export of the same data`,
  );

/** Returns the number of messages exported so far. */
export const messagesIn = ({ done, messages }: Progress): number =>
  done.reduce((sum, place) => sum + place.messages, messages);

/** Exports a channel page by page. */
async function exportPlace(
  given: Given,
  output: Output,
  progress: Progress,
  place: RowOf<'channel'>,
): Promise<void> {
  const { db, files } = given;
  const title = `#${place.name}`;
  if (progress.channelId !== place.id) {
    Object.assign(progress, { channelId: place.id, after: FIRST_ID, pages: 0, messages: 0 });
    await output.append(await headOf(db, place), progress);
    await output.save(progress);
  }
  for (let isLast = false; !isLast; ) {
    const { after, until } = progress;
    const page = await messagesAfter(db, { channelId: place.id, after, until });
    isLast = page.messages.length < PAGE_ROWS;
    if (page.messages.length > 0) {
      const copied = await copyFiles(files, output, page.files);
      await output.append(linesOfPage(page, copied), progress);
      progress.pages++;
      const at = { id: place.id, title, number: progress.pages, hasNext: !isLast };
      const html = htmlOfMessages(at, page, await namesIn(db, page.messages), copied);
      await output.write(pathOfPage(place.id, progress.pages), html);
    }
    progress.after = page.messages.at(-1)?.id ?? after;
    progress.messages += page.messages.length;
    if (isLast) {
      const { pages, messages } = progress;
      progress.done.push({ id: place.id, title, pages, messages });
      Object.assign(progress, { channelId: null, messages: 0 });
    }
    await output.save(progress);
    await given.onProgress?.(messagesIn(progress));
  }
}

/** Returns the lines for a channel and its threads. */
async function headOf(db: Reader, place: RowOf<'channel'>): Promise<Lines> {
  const lines = new Lines();
  const { file, row } = await lineOfPlace(db, place);
  lines.add(file, row);
  for await (const page of threadsOf(db, place.id))
    for (const thread of page) lines.add('threads', lineOfThread(thread));
  return lines;
}

/** Returns the names of messages' authors, by user id. */
export async function namesIn(
  db: Reader,
  messages: readonly RowOf<'message'>[],
): Promise<Map<string, string>> {
  const ids = [...new Set(messages.map(({ creatorId }) => creatorId))].map((id) => ({ id }));
  return new Map((await db.all(usersNamed(db.dialect, ids))).map(({ id, name }) => [id, name]));
}

/** Writes people, emoji, the index and the manifest. */
async function complete(given: Given, output: Output, progress: Progress): Promise<Manifest['counts']> {
  const { db, scope, now } = given;
  // If the process is killed before the end, the next attempt writes all of this again.
  const isWhole = scope.channelId === undefined;
  const rest = new Lines();
  if (isWhole) await addEmoji(given, output, rest);
  await output.append(rest, progress);
  const ids = await peopleIn(output);
  const members = await membersOf(db, scope.serverId);
  const lines = new Lines();
  const all = new Set(isWhole ? [...ids, ...members] : ids);
  // Omits an owner who has no other rows in the server, because an imported server gets its own owner.
  const server = await db.first(find('server', { id: scope.serverId }));
  if (server && !ids.has(server.creatorId)) all.delete(server.creatorId);
  await addPeople(db, all, lines, (id) => ({ isMember: members.has(id) }));
  await output.append(lines, progress);
  await output.write('index.html', htmlOfIndex(progress.done));
  return seal(output, now());
}

async function addEmoji({ db, files, scope }: Given, output: Output, lines: Lines): Promise<void> {
  const rows = await db.all(
    q.selectFrom('emoji').selectAll().where('serverId', '=', scope.serverId).orderBy('id'),
  );
  for (const { id, createdAt, name, url, creatorId } of rows) {
    const pictureId = url.slice(url.lastIndexOf('/') + 1);
    const picture = await db.first(find('picture', { id: pictureId }));
    const copied = picture && (await copyFile(files, output, picture));
    const path = copied?.sha256 ? `files/${copied.sha256}` : null;
    lines.add('emoji', { id, createdAt, name, creatorId, path });
  }
}

const membersOf = async (db: Reader, serverId: string): Promise<ReadonlySet<string>> =>
  new Set(
    (await db.all(q.selectFrom('serverMember').select('userId').where('serverId', '=', serverId))).map(
      ({ userId }) => userId,
    ),
  );
