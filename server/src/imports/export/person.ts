import type { Reader } from '../../db/contract.ts';
import type { RowOf } from '../../db/schema.ts';
import { find } from '../../db/statements.ts';
import { FIRST_ID } from '../../lib/deps.ts';
import { accountTables, exportAccountPart } from './account.ts';
import { copyFiles } from './copied.ts';
import { type ExportGiven, freshProgress, messagesIn, namesIn, otherFolder } from './export.ts';
import { type Manifest, personLineFiles } from './format.ts';
import { htmlOfMessages, pathOfPage } from './html.ts';
import { Lines, linesOfPage } from './lines.ts';
import { addPeople, peopleIn, seal } from './manifest.ts';
import { Output } from './output.ts';
import { htmlOfPerson, type ServerPart } from './personHtml.ts';
import type { PersonProgress } from './personProgress.ts';
import {
  lineOfPersonPlace,
  ownPart,
  type PersonPlace,
  placesOfPerson,
  threadsOfMessages,
  versionLines,
} from './personRows.ts';
import { ExportRefused } from './refused.ts';
import { lineOfThread, messagesAfter, PAGE_ROWS, usersNamed } from './rows.ts';
import { Sight } from './sight.ts';

type Given = ExportGiven & { userId: string };
type PersonOutput = Output<PersonProgress>;

/**
 * Exports a person's data to a folder: what they wrote, all of the direct messages that they can see, with
 * their files, and the data of their account. Resumes an interrupted export. Memory use does not grow with
 * the number of messages. Throws ExportRefused, or StoreError.
 */
export async function exportPerson(given: Given): Promise<Manifest['counts']> {
  const { db, userId, folder, maxBytes = Number.POSITIVE_INFINITY } = given;
  const user = await db.first(find('user', { id: userId }));
  if (user?.type !== 'person') throw new ExportRefused('there is no such person');
  const output: PersonOutput = new Output(folder, { names: personLineFiles, maxBytes });
  try {
    const progress = await output.begin({
      ...freshProgress({ userId }, given.newId()),
      ...{ done: [], servers: [], passed: FIRST_ID, tables: 0, account: [] },
    });
    if (!progress) throw otherFolder(folder);
    const sight = new Sight(db, userId);
    const { until, passed: from } = progress;
    for await (const place of placesOfPerson(db, { userId, sight, until, from }))
      await exportPlace(given, output, progress, place);
    for (const table of accountTables.slice(progress.tables)) {
      await exportAccountPart({ ...given, sight }, output, progress, table);
      progress.tables++;
      await output.save(progress);
      await given.onProgress?.(messagesIn(progress));
    }
    return await complete(given, output, progress, user);
  } finally {
    await output.close();
  }
}

/** Exports the messages of a channel page by page. */
async function exportPlace(
  given: Given,
  output: PersonOutput,
  progress: PersonProgress,
  place: PersonPlace,
): Promise<void> {
  const { db, files, userId } = given;
  const { channel, server, isSeen, isWhole } = place;
  const { id } = channel;
  const title = await titleOf(db, place, userId);
  if (progress.channelId !== id) {
    Object.assign(progress, { channelId: id, after: FIRST_ID, pages: 0, messages: 0 });
    await output.append(await headOf(db, progress, place), progress);
    await output.save(progress);
  }
  const threads = await threadsSoFar(output, id);
  for (let isLast = false; !isLast; ) {
    const { after, until } = progress;
    const creatorId = isWhole ? undefined : userId;
    const read = await messagesAfter(db, { channelId: id, after, until, creatorId });
    isLast = read.messages.length < PAGE_ROWS;
    const page = isSeen ? read : ownPart(read, userId);
    if (page.messages.length > 0) {
      const copied = await copyFiles(files, output, page.files);
      if (isSeen) await output.append(await threadLines(db, page.messages, threads), progress);
      await output.append(linesOfPage(page, copied), progress);
      await output.append(await versionLines(db, page, userId), progress);
      progress.pages++;
      const at = { id, title, number: progress.pages, hasNext: !isLast };
      const html = htmlOfMessages(at, page, await namesIn(db, page.messages), copied);
      await output.write(pathOfPage(id, progress.pages), html);
    }
    progress.after = read.messages.at(-1)?.id ?? after;
    progress.messages += page.messages.length;
    if (isLast) {
      const { pages, messages } = progress;
      progress.done.push({ id, title, pages, messages, serverId: server.id });
      Object.assign(progress, { channelId: null, messages: 0, passed: id });
    }
    await output.save(progress);
    await given.onProgress?.(messagesIn(progress));
  }
}

/** Returns the lines for a channel and, if it is the server's first one, for the server. */
async function headOf(db: Reader, progress: PersonProgress, place: PersonPlace): Promise<Lines> {
  const { server } = place;
  const lines = new Lines();
  const { file, row } = await lineOfPersonPlace(db, place);
  lines.add(file, row);
  if (progress.servers.some(({ id }) => id === server.id)) return lines;
  progress.servers.push(server);
  lines.add('servers', server);
  return lines;
}

/** Returns the threads of a channel that already have lines. */
async function threadsSoFar(output: PersonOutput, channelId: string): Promise<Set<string>> {
  const ids = new Set<string>();
  for await (const row of output.lines('threads')) if (row.channelId === channelId) ids.add(row.id as string);
  return ids;
}

async function threadLines(
  db: Reader,
  messages: readonly RowOf<'message'>[],
  known: Set<string>,
): Promise<Lines> {
  const lines = new Lines();
  for (const thread of await threadsOfMessages(db, messages)) {
    if (known.has(thread.id)) continue;
    known.add(thread.id);
    lines.add('threads', lineOfThread(thread));
  }
  return lines;
}

async function titleOf(db: Reader, { channel, isSeen }: PersonPlace, userId: string): Promise<string> {
  const { id, name, memberIds } = channel;
  if (!isSeen) return memberIds ? 'Direct messages you can no longer see' : 'A channel you can no longer see';
  if (!memberIds) return `#${name}`;
  if (name) return name;
  const others = memberIds.filter((other) => other !== userId).map((other) => ({ id: other }));
  const users = await db.all(usersNamed(db.dialect, others));
  return users.map((user) => user.name).join(', ') || `Direct message ${id.slice(-12)}`;
}

/** Writes people, the index and the manifest. */
async function complete(
  { db, now, userId }: Given,
  output: PersonOutput,
  progress: PersonProgress,
  { name, username }: RowOf<'user'>,
): Promise<Manifest['counts']> {
  // If the process is killed before the end, the next attempt writes all of this again.
  const lines = new Lines();
  await addPeople(db, (await peopleIn(output)).add(userId), lines);
  await output.append(lines, progress);
  const servers = progress.servers.map(
    (server): ServerPart => ({
      name: server.name,
      channels: progress.done.filter(({ serverId }) => serverId === server.id),
    }),
  );
  const date = now();
  await output.write('index.html', htmlOfPerson({ name, username, date }, progress.account, servers));
  return seal(output, date, { scope: 'person' });
}
