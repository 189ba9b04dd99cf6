import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openData } from '../server/src/node/data.ts';
import { type Figures, generate, type Load } from './load.ts';
import { type Made, makeServer } from './made.ts';
import { type Running, startOnServerCore, untilIdle } from './processes.ts';
import {
  alternate,
  CONTENT,
  LARGE,
  median,
  perSecond,
  publish,
  quick,
  ROUNDS,
  ratio,
  report,
  SMALL,
  say,
} from './report.ts';
import { seedMessages } from './seed.ts';

const MEMORY_SECONDS = quick ? 5 : 60;
const folder = mkdtempSync(join(tmpdir(), 'palaver-bench-'));
const unlimited = { PALAVER_LIMITS: '{"*":0}' };

async function prepare(): Promise<Made> {
  const data = await openData({ data: folder });
  const made = await makeServer(data);
  await data.db.close();
  seedMessages(join(folder, 'palaver.db'), made.small, made.user.id, SMALL);
  seedMessages(join(folder, 'palaver.db'), made.large, made.user.id, LARGE);
  return made;
}

async function compare(
  { palaver, ceiling, bare }: Record<'palaver' | 'ceiling' | 'bare', Running>,
  made: Made,
): Promise<void> {
  const headers = { authorization: `Bearer ${made.key}` };
  const sending = (url: string, path: string, extra = {}): Load => ({
    method: 'POST',
    url: url + path,
    headers: { 'content-type': 'application/json', ...extra },
    body: JSON.stringify({ channelId: made.busy.id, serverId: made.busy.serverId, content: CONTENT }),
  });
  const reading = (url: string, path: string, extra = {}): Load => ({
    method: 'GET',
    url: url + path,
    headers: extra,
  });

  const [send, sendCeiling, sendBare] = await alternate(
    sending(palaver.url, '/api/v1/messages', headers),
    sending(ceiling.url, '/messages'),
    sending(bare.url, '/messages'),
  );
  reportRatio('send: throughput relative to the store ceiling', send, sendCeiling, 0.6);
  reportRatio('send: throughput relative to the bare store', send, sendBare, 0.6);
  const p99s = send.map((figures, round) => figures.p99 / (sendBare[round] as Figures).p99);
  const [p99, worst] = [median(p99s), Math.max(...p99s)];
  const rounds = `, worst round ${worst.toFixed(2)}`;
  report(
    'send: p99 relative to the bare store',
    p99,
    '',
    '≤ 3, and ≤ 5 in every round',
    p99 <= 3 && worst <= 5,
    rounds,
  );

  const small = `/channels/${made.small.id}/messages`;
  const [page, pageCeiling, pageBare] = await alternate(
    reading(palaver.url, `/api/v1${small}`, headers),
    reading(ceiling.url, small),
    reading(bare.url, small),
  );
  reportRatio('page of 50: throughput relative to the store ceiling', page, pageCeiling, 0.7);
  reportRatio('page of 50: throughput relative to the bare store', page, pageBare, 0.9);

  const [deep, shallow] = await alternate(
    reading(palaver.url, `/api/v1/channels/${made.large.id}/messages`, headers),
    reading(palaver.url, `/api/v1${small}`, headers),
  );
  const depth = ratio(deep, shallow);
  report(
    `page of 50 at ${LARGE.toLocaleString('en')} messages: throughput relative to 10,000`,
    depth,
    '',
    '≥ 0.90',
    depth >= 0.9,
  );
}

function reportRatio(figure: string, ours: Figures[], theirs: Figures[], goal: number): void {
  const of = ratio(ours, theirs);
  const rates = ` (${perSecond(ours)}/s vs. ${perSecond(theirs)}/s)`;
  report(figure, of, '', `≥ ${goal.toFixed(2)}`, of >= goal, rates);
}

export async function measureEmbedded(): Promise<void> {
  try {
    await measure();
    publish('SQLite', `SQLite ${process.versions.sqlite}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measure(): Promise<void> {
  say(`Seeding ${LARGE.toLocaleString('en')} messages…`);
  const made = await prepare();
  const ceiling = await startOnServerCore('bench/ceiling.ts', [folder]);
  const bare = await startOnServerCore('bench/bareStore.ts', [folder]);
  for (const name of ['ceiling.db', 'bare.db'])
    seedMessages(join(folder, name), made.small, made.user.id, SMALL);
  const start = ['start', '--data', folder, '--port', '0'];
  const palaver = await startOnServerCore('server/bin/palaver.js', start, unlimited);
  say('Waiting for the search index…');
  await untilIdle(palaver);
  await compare({ palaver, ceiling, bare }, made);

  const body = JSON.stringify({ channelId: made.busy.id, content: 'The quick brown fox' });
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${made.key}` };
  await generate({ method: 'POST', url: `${palaver.url}/api/v1/messages`, headers, body }, MEMORY_SECONDS);
  const memory = palaver.memory() / 2 ** 20;
  report(`resident memory after ${MEMORY_SECONDS} s of sending`, memory, ' MB', '≤ 170 MB', memory <= 170);
  await palaver.stop();
  await ceiling.stop();
  await bare.stop();

  const starts: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const from = performance.now();
    const started = await startOnServerCore('server/bin/palaver.js', start, unlimited);
    await fetch(`${started.url}/api/v1/servers`, { headers });
    starts.push((performance.now() - from) / 1000);
    await started.stop();
  }
  const cold = median(starts);
  report('cold start until the first response', cold, ' s', '≤ 0.6 s', cold <= 0.6);
}
