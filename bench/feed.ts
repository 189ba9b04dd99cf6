import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openData } from '../server/src/node/data.ts';
import { generate } from './load.ts';
import { type Made, makeServer } from './made.ts';
import { makeTenants, type Tenant } from './manyKeys.ts';
import { type Running, startOnServerCore } from './processes.ts';
import { CONTENT, inTurn, median, perSecond, publish, quick, ROUNDS, ratio, report, say } from './report.ts';
import { measureRights } from './rights.ts';
import { type Shot, StreamClients } from './streams.ts';

const STREAMS = quick ? 2_000 : 10_000;
const SHOTS = 5;
const SENDS_A_SECOND = 20;
const PACED_SECONDS = quick ? 5 : 15;
/** The time between messages in ms, which exceeds the longest pause of an audience. */
const REST_MS = 600;

/**
 * Compares three pairs: event streams and a bare server that writes the same bytes, sends with and without
 * the event log, and pages with and without concurrent permission changes. Every stream has its own key.
 */
export async function measureFeed(): Promise<void> {
  const folders = [0, 1].map(() => mkdtempSync(join(tmpdir(), 'palaver-bench-')));
  try {
    await measureStreams(folders[0] as string);
    await measureLog(folders[0] as string, folders[1] as string);
    for (const isOnPostgres of [false, true]) await measureRights(isOnPostgres);
    publish('Event streams', `SQLite ${process.versions.sqlite}, ${STREAMS.toLocaleString('en')} streams`);
  } finally {
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  }
}

async function make(folder: string): Promise<Made> {
  const data = await openData({ data: folder });
  const made = await makeServer(data);
  await data.db.close();
  return made;
}

async function measureStreams(folder: string): Promise<void> {
  const data = await openData({ data: folder });
  const [tenant] = (await makeTenants(data, 1, STREAMS)) as [Tenant];
  await data.db.close();
  const palaver = await startOnServerCore(
    'server/bin/palaver.js',
    ['start', '--data', folder, '--port', '0'],
    {
      PALAVER_LIMITS: '{"*":0}',
      PALAVER_STREAMS_PER_USER: String(STREAMS),
      PALAVER_STREAMS: String(2 * STREAMS),
    },
  );
  const bare = await startOnServerCore('bench/bareStreams.ts', []);
  const send = JSON.stringify({ channelId: tenant.channelId, content: CONTENT });
  const keys = tenant.keys.map(({ key }) => key);
  // Warms up first, so memory for compiled code is not attributed to the streams.
  for (let index = 0; index < 500; index++) await fetch(`${palaver.url}/healthz`);
  const before = palaver.memory();
  say(`Opening ${STREAMS.toLocaleString('en')} streams to each…`);
  const ours = await StreamClients.gather(palaver, STREAMS, keys, folder);
  const theirs = await StreamClients.gather(bare, STREAMS, keys, folder);
  await sleep(5_000);
  const memory = (palaver.memory() - before) / STREAMS / 1024;
  report('memory per stream', memory, ' KB', '≤ 20 KB', memory <= 20);

  await compareDelivery(ours, theirs, send);
  theirs.disperse();
  await bare.stop();
  const [cpu, amount] = [palaver.cpu(), PACED_SECONDS * SENDS_A_SECOND];
  for (let sent = 0; sent < amount; sent++) {
    void sendOnce(palaver, keys[0] as string, send);
    await sleep(1000 / SENDS_A_SECOND);
  }
  await sleep(REST_MS);
  const micros = ((palaver.cpu() - cpu) * 1e6) / (amount * STREAMS);
  report(
    `${SENDS_A_SECOND} sends a second: CPU time per delivered event`,
    micros,
    ' µs',
    '≤ 1 µs',
    micros <= 1,
  );
  ours.disperse();
  await palaver.stop();
}

/** Compares the delivery of a message to the streams with the delivery of as many bytes by the bare server. */
async function compareDelivery(ours: StreamClients, theirs: StreamClients, send: string): Promise<void> {
  const { bytes } = await ours.shoot('/api/v1/messages', send);
  // Chunked encoding adds 7 bytes, so each client receives as many bytes as for an event.
  const same = 'x'.repeat(bytes - 7);
  const shots: [Shot, Shot][] = [];
  for (let round = 0; round < ROUNDS * SHOTS; round++) {
    shots.push([await ours.shoot('/api/v1/messages', send), await theirs.shoot('/', same)]);
    // Waits for longer than a large audience pauses after a notification (`audience.ts`), so each message is
    // sent immediately.
    await sleep(REST_MS);
  }
  for (const which of ['median', 'last'] as const) {
    const value = median(shots.map(([our, their]) => their[which] / our[which]));
    const ms = (side: 0 | 1) => median(shots.map((pair) => pair[side][which])).toFixed(0);
    const detail = ` (${ms(0)} ms vs. ${ms(1)} ms)`;
    const client = which === 'last' ? 'last' : 'median';
    report(
      `delivery to the ${client} stream: speed relative to a bare server`,
      value,
      '',
      '≥ 0.50',
      value >= 0.5,
      detail,
    );
  }
}

async function sendOnce({ url }: Running, key: string, body: string): Promise<void> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const answer = await fetch(`${url}/api/v1/messages`, { method: 'POST', headers, body });
  if (answer.status !== 200) throw new Error(`a send returned ${answer.status}`);
  await answer.arrayBuffer();
}

async function measureLog(folder: string, other: string): Promise<void> {
  rmSync(folder, { recursive: true });
  const sides = [
    { folder, args: [folder] },
    { folder: other, args: [other, 'without'] },
  ];
  const loads: ((seconds: number) => ReturnType<typeof generate>)[] = [];
  const running: Running[] = [];
  for (const side of sides) {
    const made = await make(side.folder);
    const server = await startOnServerCore('bench/logCost.ts', side.args);
    running.push(server);
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${made.key}` };
    const body = JSON.stringify({ channelId: made.busy.id, serverId: made.busy.serverId, content: CONTENT });
    const url = `${server.url}/api/v1/messages`;
    loads.push((seconds) => generate({ method: 'POST', url, headers, body }, seconds));
  }
  const [logged, unlogged] = await inTurn(...(loads as [(typeof loads)[0], (typeof loads)[0]]));
  const value = ratio(logged, unlogged);
  const detail = ` (${perSecond(logged)}/s vs. ${perSecond(unlogged)}/s)`;
  report(
    'send: throughput relative to sends without the event log',
    value,
    '',
    '≥ 0.85',
    value >= 0.85,
    detail,
  );
  for (const server of running) await server.stop();
}
