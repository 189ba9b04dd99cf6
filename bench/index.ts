import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { change, openData } from '../server/src/cli/data.ts';
import { createKey, createServer, createUser } from '../server/src/cli/records.ts';
import { addChannel } from '../server/src/resources/channel.ts';
import { CONNECTIONS, type Figures, generate, generator, type Load } from './load.ts';
import { type Running, startOnServerCore } from './processes.ts';
import { seedMessages } from './seed.ts';

const quick = process.argv.includes('--quick');
const ROUNDS = quick ? 3 : 5;
const SECONDS = quick ? 2 : 5;
const MEMORY_SECONDS = quick ? 5 : 60;
const LARGE = quick ? 50_000 : 1_000_000;
const SMALL = 10_000;

const folder = mkdtempSync(join(tmpdir(), 'palaver-bench-'));
const unlimited = { PALAVER_LIMITS: '{"*":0}' };

const median = (values: number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] as number;

interface Row {
  figure: string;
  value: string;
  goal: string;
  reached: boolean;
}
const rows: Row[] = [];
const say = (text: string) => process.stdout.write(`${text}\n`);

function report(
  figure: string,
  value: number,
  unit: string,
  goal: string,
  reached: boolean,
  detail = '',
): void {
  const row = { figure, value: `${value.toFixed(2)}${unit}${detail}`, goal, reached };
  rows.push(row);
  say(`${reached ? 'reached' : 'MISSED '}  ${figure}: ${row.value} (goal ${goal})`);
}

/** Measures two loads in turn, and gives the figures of both. */
async function alternate(a: Load, b: Load): Promise<[Figures[], Figures[]]> {
  const results: [Figures[], Figures[]] = [[], []];
  await generate(a, 1);
  await generate(b, 1);
  for (let round = 0; round < ROUNDS; round++) {
    results[0].push(await generate(a, SECONDS));
    results[1].push(await generate(b, SECONDS));
  }
  for (const { failed } of results.flat()) if (failed > 0) throw new Error(`${failed} requests failed`);
  return results;
}

const rates = (figures: Figures[]) => figures.map(({ rate }) => rate);
const ratio = (a: Figures[], b: Figures[]) =>
  median(a.map(({ rate }, round) => rate / (b[round] as Figures).rate));
const perSecond = (figures: Figures[]) => Math.round(median(rates(figures))).toLocaleString('en');

/** Makes a server with two channels, a small one and a large one, and a key. */
async function prepare() {
  const data = await openData({ data: folder, secretKey: '' });
  const made = await change(data, async (work) => {
    const user = await createUser(work, { username: 'bench' });
    const server = await createServer(work, { name: 'Bench', owner: user.id });
    const { key } = await createKey(work, {
      server: server.id,
      user: user.id,
      flags: 'canEditData,canViewData',
    });
    const channel = (name: string) =>
      addChannel(work, { serverId: server.id, name, creatorId: user.id, roleIds: [] });
    return {
      user,
      key,
      small: await channel('small'),
      large: await channel('large'),
      busy: await channel('busy'),
    };
  });
  await data.db.close();
  seedMessages(join(folder, 'palaver.db'), made.small, made.user.id, SMALL);
  seedMessages(join(folder, 'palaver.db'), made.large, made.user.id, LARGE);
  return made;
}

async function compare(
  palaver: Running,
  ceiling: Running,
  made: Awaited<ReturnType<typeof prepare>>,
): Promise<void> {
  const headers = { authorization: `Bearer ${made.key}` };
  const content = 'The quick brown fox jumps over the lazy dog while people talk';
  const sending = (url: string, path: string, extra = {}): Load => ({
    method: 'POST',
    url: url + path,
    headers: { 'content-type': 'application/json', ...extra },
    body: JSON.stringify({ channelId: made.busy.id, serverId: made.busy.serverId, content }),
  });
  const reading = (url: string, path: string, extra = {}): Load => ({
    method: 'GET',
    url: url + path,
    headers: extra,
  });

  const [send, sendCeiling] = await alternate(
    sending(palaver.url, '/api/v1/messages', headers),
    sending(ceiling.url, '/messages'),
  );
  const sendRatio = ratio(send, sendCeiling);
  report(
    'send, of the store ceiling',
    sendRatio,
    '',
    '≥ 0.60',
    sendRatio >= 0.6,
    ` (${perSecond(send)}/s of ${perSecond(sendCeiling)}/s)`,
  );
  const p99 = median(send.map((figures, round) => figures.p99 / (sendCeiling[round] as Figures).p99));
  report("p99 of a send, of the ceiling's", p99, '', '≤ 2.5', p99 <= 2.5);

  const small = `/channels/${made.small.id}/messages`;
  const [page, pageCeiling] = await alternate(
    reading(palaver.url, `/api/v1${small}`, headers),
    reading(ceiling.url, small),
  );
  const pageRatio = ratio(page, pageCeiling);
  report(
    'page of 50, of the store ceiling',
    pageRatio,
    '',
    '≥ 0.70',
    pageRatio >= 0.7,
    ` (${perSecond(page)}/s of ${perSecond(pageCeiling)}/s)`,
  );

  const [deep, shallow] = await alternate(
    reading(palaver.url, `/api/v1/channels/${made.large.id}/messages`, headers),
    reading(palaver.url, `/api/v1${small}`, headers),
  );
  const depth = ratio(deep, shallow);
  report(
    `page of 50 at ${LARGE.toLocaleString('en')} messages, of that at 10,000`,
    depth,
    '',
    '≥ 0.90',
    depth >= 0.9,
  );
}

async function main(): Promise<void> {
  say(`Seeding ${LARGE.toLocaleString('en')} messages…`);
  const made = await prepare();
  const ceiling = await startOnServerCore('bench/ceiling.ts', [folder]);
  seedMessages(join(folder, 'ceiling.db'), made.small, made.user.id, SMALL);
  const start = ['start', '--data', folder, '--port', '0'];
  const palaver = await startOnServerCore('server/bin/palaver.js', start, unlimited);
  await compare(palaver, ceiling, made);

  const body = JSON.stringify({ channelId: made.busy.id, content: 'The quick brown fox' });
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${made.key}` };
  await generate({ method: 'POST', url: `${palaver.url}/api/v1/messages`, headers, body }, MEMORY_SECONDS);
  const memory = palaver.memory() / 2 ** 20;
  report(`resident memory after ${MEMORY_SECONDS} s of sending`, memory, ' MB', '≤ 200 MB', memory <= 200);
  await palaver.stop();
  await ceiling.stop();

  const starts: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const from = performance.now();
    const started = await startOnServerCore('server/bin/palaver.js', start, unlimited);
    await fetch(`${started.url}/api/v1/servers`, { headers });
    starts.push((performance.now() - from) / 1000);
    await started.stop();
  }
  const cold = median(starts);
  report('cold start to first answer', cold, ' s', '≤ 1 s', cold <= 1);
}

function table(): string {
  const { sqlite, node } = process.versions;
  return [
    `${new Date().toISOString().slice(0, 10)}, ${cpus()[0]?.model.trim()}, Node ${node}, SQLite ${sqlite}, ${generator}, ${CONNECTIONS} connections, medians of ${ROUNDS} rounds of ${SECONDS} s.`,
    '',
    '| Figure | Measured | Goal | |',
    '|---|---|---|---|',
    ...rows.map(
      ({ figure, value, goal, reached }) =>
        `| ${figure} | ${value} | ${goal} | ${reached ? 'reached' : 'missed'} |`,
    ),
    '',
  ].join('\n');
}

try {
  await main();
  say(`\n${table()}`);
  if (!quick) writeFileSync(join(import.meta.dirname, 'results.md'), table());
} finally {
  rmSync(folder, { recursive: true, force: true });
}
