import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync, statSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { databaseFile } from '../server/src/node/data.ts';
import { Random } from '../test/support/seeded.ts';
import { keyOf, Requests } from './crowd/requests.ts';
import { addFiles } from './exportData.ts';
import { untilIdle } from './processes.ts';
import { keep, machine, median, optionOf, quick, say } from './report.ts';
import { openStage, type Stage, startOn, withStage } from './stage.ts';
import { giveKeys, mixed, shown, steady, type Times } from './steady.ts';

const MESSAGES = Number(optionOf('--messages') ?? (quick ? 50_000 : 500_000));
/** The number of files, each of 1 MB. */
const FILES = Number(optionOf('--files') ?? (quick ? 10 : 100));
const CHANNELS = 200;
/** The number of people. Each has a key. */
const PEOPLE = 200;
const CONNECTIONS = 64;
const REQUESTS_PER_SECOND = 100;
const ROUNDS = 3;
/** The minimum duration of each measurement in a round, in seconds. */
const SECONDS = quick ? 4 : 15;
const GOAL = { ratio: 1.5, moreMs: 50, restore: 1.5 };
const palaver = join(import.meta.dirname, '../server/bin/palaver.js');

/** A round: requests without and during backups, and the duration of each backup in seconds. */
interface Round {
  alone: Times;
  during: Times;
  backups: number[];
}

/** Measures how `palaver backup` affects a node's requests, and how long a restore takes compared with a backup. */
export async function measureBackup(): Promise<void> {
  const amounts = { channels: CHANNELS, messages: MESSAGES, people: PEOPLE };
  const load = loadavg()[0]?.toFixed(1);
  await withStage(false, amounts, async (stage) => {
    await fillFiles(stage);
    const keys = await giveKeys(stage, PEOPLE);
    const file = join(stage.folder, 'palaver.backup');
    const node = await startOn(stage);
    const requests = new Requests(node.url, CONNECTIONS);
    try {
      await untilIdle(node);
      const rounds = await measureRounds(stage, { requests, pid: node.pid, keys, file });
      const copies = await measureCopies(stage, file);
      const megabytes = statSync(file).size / 1e6;
      keep('Backup and restore', [
        `${machine}, SQLite, load average ${load} before and ${loadavg()[0]?.toFixed(1)} after. ${MESSAGES.toLocaleString('en')} messages in ${CHANNELS} channels and ${FILES} files of 1 MB; the size of the backup is ${megabytes.toFixed(0)} MB. ${PEOPLE} keys send ${REQUESTS_PER_SECOND} requests a second: 40 % sends, 40 % pages, 10 % searches, 10 % lists of channels; p50 / p99 / p99 without waiting for a core, in ms.`,
        '',
        ...linesOfRounds(rounds),
        '',
        ...linesOfCopies(copies),
      ]);
    } finally {
      requests.close();
      await node.stop();
    }
  });
}

/** Adds the files to the messages of the first channel. */
async function fillFiles(stage: Stage): Promise<void> {
  const { folder, made, channelIds } = stage;
  const data = await openStage(stage);
  const of = { channelId: channelIds[0] as string, serverId: made.large.serverId, creatorId: made.user.id };
  try {
    if (FILES > 0) await addFiles(data, of, { folder, amount: FILES, sums: new Set() });
  } finally {
    await data.db.close();
  }
}

/** Alternates between measuring requests without and during backups. */
async function measureRounds(
  stage: Stage,
  { keys, file, ...node }: { requests: Requests; pid: number; keys: readonly string[]; file: string },
): Promise<Round[]> {
  const random = new Random(1);
  const measure = (until: Promise<unknown>) =>
    steady(node, REQUESTS_PER_SECOND, () => mixed(stage, keyOf(random.pick(keys)), random), until);
  await measure(sleep(2_000));
  const rounds: Round[] = [];
  while (rounds.length < ROUNDS) {
    const alone = await measure(sleep(SECONDS * 1_000));
    const backups: number[] = [];
    const during = await measure(backUp(stage, file, backups));
    rounds.push({ alone, during, backups });
    say(`${shown(alone)} alone, ${shown(during)} during ${backups.length} backups`);
  }
  return rounds;
}

/** Makes backups, one after the other, until the seconds of a round have passed. */
async function backUp({ folder }: Stage, file: string, seconds: number[]): Promise<void> {
  const end = performance.now() + SECONDS * 1_000;
  do seconds.push(await run(['backup', file, '--data', folder]));
  while (performance.now() < end);
}

/** Alternates between a backup and a restore, while the node has no requests. */
async function measureCopies(stage: Stage, file: string): Promise<{ backup: number; restore: number }[]> {
  const restored = join(stage.folder, 'restored');
  const copies: { backup: number; restore: number }[] = [];
  while (copies.length < ROUNDS) {
    const backup = await run(['backup', file, '--data', stage.folder]);
    const restore = await run(['restore', file, '--data', restored]);
    requireMessages(restored);
    rmSync(restored, { recursive: true });
    copies.push({ backup, restore });
  }
  return copies;
}

/** Throws if messages are missing from the restored data. */
function requireMessages(folder: string): void {
  const db = new DatabaseSync(databaseFile(folder), { readOnly: true });
  const found = Number(db.prepare('select count(*) as found from message').get()?.found);
  db.close();
  if (found < MESSAGES) throw new Error(`only ${found} of ${MESSAGES} messages were restored`);
}

/** Runs a command as an operator would, on any core. Returns its duration in seconds. */
async function run(words: readonly string[]): Promise<number> {
  const from = performance.now();
  const child = spawn(process.execPath, [palaver, ...words], { stdio: ['ignore', 'ignore', 'pipe'] });
  let errors = '';
  child.stderr.on('data', (chunk) => {
    errors += chunk;
  });
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`palaver ${words[0]} exited with ${code}: ${errors}`);
  return (performance.now() - from) / 1_000;
}

function linesOfRounds(rounds: readonly Round[]): string[] {
  const of = (kind: 'alone' | 'during', time: 'p99' | 'net') =>
    median(rounds.map((round) => round[kind][time]));
  const [alone, during] = [of('alone', 'p99'), of('during', 'p99')];
  const isMet = during <= GOAL.ratio * alone || during - alone <= GOAL.moreMs;
  return [
    '| Round | Without a backup | Requests | During backups | Requests | Backups, s |',
    '|---|---|---|---|---|---|',
    ...rounds.map(({ alone, during, backups }, index) => {
      const seconds = backups.map((each) => each.toFixed(1)).join(', ');
      return `| ${[index + 1, shown(alone), alone.requests, shown(during), during.requests, seconds].join(' | ')} |`;
    }),
    '',
    `Median p99: ${alone.toFixed(1)} ms without a backup, ${during.toFixed(1)} ms during one (without waiting for a core: ${of('alone', 'net').toFixed(1)} and ${of('during', 'net').toFixed(1)} ms). Goal: at most ${GOAL.ratio} times as long, or ${GOAL.moreMs} ms longer: ${isMet ? 'met' : 'missed'}.`,
  ];
}

function linesOfCopies(copies: readonly { backup: number; restore: number }[]): string[] {
  const ratio = median(copies.map(({ backup, restore }) => restore / backup));
  return [
    '| Round | Backup, without requests, s | Restore, s | Ratio |',
    '|---|---|---|---|',
    ...copies.map(
      ({ backup, restore }, index) =>
        `| ${index + 1} | ${backup.toFixed(1)} | ${restore.toFixed(1)} | ${(restore / backup).toFixed(2)} |`,
    ),
    '',
    `A restore takes ${ratio.toFixed(2)} times as long as a backup (median). Goal: at most ${GOAL.restore}: ${ratio <= GOAL.restore ? 'met' : 'missed'}.`,
  ];
}
