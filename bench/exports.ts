import { createWriteStream, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { openArchive } from '../server/src/imports/archive.ts';
import type { Progress } from '../server/src/imports/export/output.ts';
import { linesIn } from '../server/src/imports/palaver/lines.ts';
import { verified } from '../server/src/imports/palaver/verify.ts';
import type { DataConfig } from '../server/src/node/data.ts';
import { startPostgres } from '../test/support/postgresServer.ts';
import { CHANNELS, FILES, type Made, MESSAGES, make } from './exportData.ts';
import { GOAL, isServed, Neighbour, type Period, shown } from './neighbours.ts';
import type { Running } from './processes.ts';
import { keep, machine, quick, say } from './report.ts';
import { startOn } from './stage.ts';

const MB = 1024 * 1024;
/** Seconds per measurement of the other server. */
const SECONDS = quick ? 5 : 30;
/** The size of each range request in bytes. */
const RANGE = 256 * MB;
/** The maximum growth of a node's memory during an export. */
const GOAL_BYTES = 100 * MB;

/** An export, as returned by the API. */
interface Export {
  id: string;
  state: string;
  messages: number;
  bytes: number;
}

/** Measures an export of a large server from a node that is killed halfway. */
export async function measureExports(isOnPostgres: boolean): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'palaver-bench-'));
  const server = isOnPostgres ? await startPostgres({ durable: true }) : undefined;
  const load = loadavg()[0]?.toFixed(1);
  try {
    const place = { data: folder, database: (await server?.createDatabase()) ?? '', secretKey: '' };
    const made = await make(place, folder);
    const { lines, done, node } = await exportKilled(place, made);
    const { id, bytes } = done;
    try {
      const path = join(folder, 'downloaded.zip');
      const from = performance.now();
      await download(node, made.key, { id, bytes, path });
      const seconds = (performance.now() - from) / 1_000;
      say(`downloaded ${(bytes / MB).toFixed(0)} MB in ${seconds.toFixed(0)} s`);
      const found = await verify(path, made, done);
      keep(`Exports, ${isOnPostgres ? 'PostgreSQL' : 'SQLite'}`, [
        `${machine}, load average ${load} before and ${loadavg()[0]?.toFixed(1)} after. ${MESSAGES.toLocaleString('en')} messages in ${CHANNELS} channels, and ${FILES.toLocaleString('en')} files of 1 MB.`,
        '',
        ...lines,
        '',
        `The archive of ${(bytes / MB).toFixed(0)} MB was downloaded in ranges of ${RANGE / MB} MB in ${seconds.toFixed(0)} s. ${found}`,
      ]);
    } finally {
      await node.stop();
    }
  } finally {
    await server?.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function ask(node: Running, key: string, path: string, body?: object): Promise<Export> {
  const answer = await fetch(`${node.url}/api/v1${path}`, {
    method: body ? 'POST' : 'GET',
    headers: { authorization: `Bearer ${key}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  const { data } = (await answer.json()) as { data: Export };
  if (answer.status !== 200) throw new Error(`${path}: ${answer.status}`);
  return data;
}

/** Samples a node's memory. The returned function stops it and returns the first and the largest sample. */
function watch(node: Running): () => { first: number; most: number } {
  const first = node.memory();
  let most = first;
  const timer = setInterval(() => {
    most = Math.max(most, node.memory());
  }, 500);
  return () => {
    clearInterval(timer);
    return { first, most };
  };
}

/** Sends messages to the exported server until the returned function is called. */
function writeIn(node: Running, { key, channelIds }: Made): () => Promise<void> {
  const leaving = new AbortController();
  const work = async () => {
    for (let number = 0; !leaving.signal.aborted; number++) {
      const channelId = channelIds[number % channelIds.length];
      await ask(node, key, '/messages', { channelId, content: `written meanwhile ${number}` });
      await sleep(100);
    }
  };
  // Requests in flight fail when the node is killed.
  const done = work().catch(() => {});
  return async () => {
    leaving.abort();
    await done;
  };
}

/**
 * Waits until an export has this many messages in its working folder. The export's record would be too late:
 * it is written only every 15 s.
 */
async function untilWritten({ data }: DataConfig, id: string, amount: number): Promise<number> {
  const file = join(data, 'files/exports', id, '.export.json');
  for (;;) {
    await sleep(20);
    if (!existsSync(file)) continue;
    const { done, messages } = JSON.parse(readFileSync(file, 'utf8')) as Progress;
    const written = done.reduce((sum, place) => sum + place.messages, messages);
    if (written >= amount) return written;
  }
}

async function untilDone(node: Running, { key }: Made, id: string): Promise<Export> {
  for (;;) {
    const found = await ask(node, key, `/exports/${id}`);
    if (found.state === 'failed') throw new Error('the export failed');
    if (found.state === 'done') return found;
    await sleep(1_000);
  }
}

/** Measures an export that a second node continues after the first is killed halfway through the messages. */
async function exportKilled(place: DataConfig, made: Made) {
  const at = { folder: place.data, database: place.database ?? '' };
  const first = await startOn(at);
  await sleep(5_000);
  const memory = watch(first);
  const stopWriting = writeIn(first, made);
  const from = performance.now();
  const { id } = await ask(first, made.key, `/servers/${made.serverId}/exports`, {});
  const killedAt = await untilWritten(place, id, MESSAGES / 2);
  process.kill(first.pid, 'SIGKILL');
  const before = memory();
  const firstSeconds = (performance.now() - from) / 1_000;
  await stopWriting();
  say(`killed at ${killedAt} messages after ${firstSeconds.toFixed(0)} s`);

  const again = performance.now();
  const node = await startOn(at);
  const other = new Neighbour(node, made.neighbour);
  try {
    await other.measure(2);
    const alone = await other.measure(SECONDS);
    const memoryAgain = watch(node);
    const stopAgain = writeIn(node, made);
    await untilWritten(place, id, killedAt + 1);
    const beside = other.measure(SECONDS);
    const done = await untilDone(node, made, id);
    const seconds = (performance.now() - again) / 1_000;
    const figures = { alone, beside: await beside, before, after: memoryAgain() };
    await stopAgain();
    return { lines: linesOf({ ...figures, kill: { killedAt, firstSeconds, seconds } }), done, node };
  } finally {
    other.leave();
  }
}

interface Figures {
  alone: Period;
  beside: Period;
  before: { first: number; most: number };
  after: { first: number; most: number };
  kill: { killedAt: number; firstSeconds: number; seconds: number };
}

function linesOf({ alone, beside, before, after, kill }: Figures): string[] {
  const inMb = (bytes: number) => (bytes / MB).toFixed(0);
  const isFlat = [before, after].every(({ first, most }) => most - first <= GOAL_BYTES);
  const isQuiet = isServed(alone, beside);
  const row = (kind: 'send' | 'read') => `| ${kind} | ${shown(alone[kind])} | ${shown(beside[kind])} |`;
  say(isFlat && isQuiet ? 'met' : 'MISSED');
  return [
    `The node was killed at ${kill.killedAt.toLocaleString('en')} messages, after ${kill.firstSeconds.toFixed(0)} s. The next one finished ${kill.seconds.toFixed(0)} s after its start, including up to 60 s of waiting until the killed node's claim expired.`,
    '',
    '| Node | Memory before, MB | Peak, MB |',
    '|---|---|---|',
    `| killed | ${inMb(before.first)} | ${inMb(before.most)} |`,
    `| continued | ${inMb(after.first)} | ${inMb(after.most)} |`,
    '',
    `Goal: at most ${GOAL_BYTES / MB} MB more memory: ${isFlat ? 'met' : 'missed'}.`,
    '',
    "| Other server's request, p50 / p99 in ms | Alone | During the export |",
    '|---|---|---|',
    row('send'),
    row('read'),
    '',
    `Goal: the p99 of sends is at most ${GOAL.ratio} times as long, or ${GOAL.moreMs} ms longer: ${isQuiet ? 'met' : 'missed'}.`,
  ];
}

/** Downloads an archive with range requests, like a client that resumes an interrupted download. */
async function download(
  node: Running,
  key: string,
  { id, bytes, path }: { id: string; bytes: number; path: string },
): Promise<void> {
  for (let start = 0; start < bytes; start += RANGE) {
    const range = `bytes=${start}-${Math.min(bytes, start + RANGE) - 1}`;
    const answer = await fetch(`${node.url}/api/v1/exports/${id}/content`, {
      headers: { authorization: `Bearer ${key}`, range },
    });
    if (answer.status !== 206) throw new Error(`${range}: ${answer.status}`);
    await pipeline(Readable.fromWeb(answer.body as never), createWriteStream(path, { flags: 'a' }));
  }
}

/** Verifies an archive. Throws if anything is missing or different. */
async function verify(path: string, { sums }: Made, done: Export): Promise<string> {
  const archive = await openArchive(path);
  try {
    await verified(archive);
    const files = archive.paths.filter((name) => name.startsWith('files/')).map((name) => name.slice(6));
    if (files.length !== sums.size || files.some((sum) => !sums.has(sum)))
      throw new Error(`${files.length} files of ${sums.size}, or others`);
    const ids = new Set<string>();
    let messages = 0;
    for await (const { row } of linesIn(archive, 'messages.jsonl')) {
      messages++;
      ids.add((row as { id: string }).id);
    }
    if (messages < MESSAGES || messages !== done.messages || ids.size !== messages)
      throw new Error(`${messages} messages, ${ids.size} ids`);
    return `All checksums match, and it contains each message and file once: ${messages.toLocaleString('en')} messages, ${files.length.toLocaleString('en')} files.`;
  } finally {
    await archive.close();
  }
}
