import { Agent, get } from 'node:http';
import { generate, type Load } from './load.ts';
import { measureMarks, placesOf } from './marks.ts';
import { type Running, untilIdle } from './processes.ts';
import { measureCounts, weigh, withReaders } from './reading.ts';
import {
  CONTENT,
  inTurn,
  median,
  percentile,
  perSecond,
  publish,
  quick,
  ratio,
  reportWithLoad,
  say,
} from './report.ts';
import { type Person, type Stage, startOn } from './stage.ts';
import { StreamClients } from './streams.ts';
import { measureUpload } from './upload.ts';

const STREAMS = quick ? 1_000 : 10_000;
const SHOTS = quick ? 5 : 15;
const SAMPLES = quick ? 50 : 300;
const GOAL = { ratio: 0.9, kilobytes: 20, readMs: 50, lastMs: 1_000 };

/** Measures requests from people with sessions, on either engine. */
export async function measurePeople(isOnPostgres: boolean): Promise<void> {
  await withReaders(isOnPostgres, STREAMS, async (stage) => {
    await measureCounts(stage);
    const places = await placesOf(stage);
    await withNode(stage, (node) => measureFirstPictures(stage, node));
    await withNode(stage, async (node) => {
      await compareSessions(stage, node);
      await measureMarks(stage, places, node);
    });
    await withNode(stage, (node) => measureUpload(stage, node));
    await withNode(stage, (node) => measureStreams(stage, node));
    await weigh(stage);
    publish(`People, ${isOnPostgres ? 'PostgreSQL' : 'SQLite'}`, stage.engine);
  });
}

/** Measures only the first snapshots, on either engine. */
export const measurePictures = (isOnPostgres: boolean): Promise<void> =>
  withReaders(isOnPostgres, 2 * SAMPLES, (stage) =>
    withNode(stage, (node) => measureFirstPictures(stage, node)),
  );

/** Runs `use` with a new node, because memory and cold starts are measured. */
async function withNode(stage: Stage, use: (node: Running) => Promise<void>): Promise<void> {
  const node = await startOn(stage, {
    PALAVER_STREAMS: String(2 * STREAMS),
    PALAVER_STREAMS_PER_USER: String(STREAMS),
    PALAVER_FILE_MEGABYTES: '200',
  });
  try {
    await untilIdle(node);
    await use(node);
  } finally {
    await node.stop();
  }
}

/** The headers for a person's session in the server. */
const sessionOf = ({ made }: Stage, token: string): Record<string, string> => ({
  cookie: `palaver=${token}`,
  'palaver-server': made.large.serverId,
});

/** Compares a person's session with their API key, for sends and for pages. */
async function compareSessions(stage: Stage, node: Running): Promise<void> {
  const { url } = node;
  const { made, ownToken, channelIds } = stage;
  const session = sessionOf(stage, ownToken);
  const key = { authorization: `Bearer ${made.key}` };
  const body = JSON.stringify({ channelId: made.busy.id, content: CONTENT });
  const send = (headers: Record<string, string>): Load => ({
    method: 'POST',
    url: `${url}/api/v1/messages`,
    headers: { 'content-type': 'application/json', ...headers },
    body,
  });
  const page = (headers: Record<string, string>): Load => ({
    method: 'GET',
    url: `${url}/api/v1/channels/${channelIds[0]}/messages`,
    headers,
  });
  for (const [what, load] of Object.entries({ send, 'page of 50': page })) {
    const [ofSession, ofKey] = [costsOf(node, load(session)), costsOf(node, load(key))];
    const [bySession, byKey] = await inTurn(ofSession.measure, ofKey.measure);
    const value = ratio(bySession, byKey);
    const rounds = bySession.map(({ rate }, round) => (rate / (byKey[round]?.rate as number)).toFixed(2));
    const cpu = `${ofSession.cpu().toFixed(1)} µs of node CPU, ${ofKey.cpu().toFixed(1)} µs with a key`;
    const rates = `${perSecond(bySession)}/s vs. ${perSecond(byKey)}/s`;
    const named = `${what}: throughput with a session relative to an API key`;
    const detail = ` (${rounds.join(', ')}; ${rates}; ${cpu})`;
    reportWithLoad(named, value, '', `≥ ${GOAL.ratio.toFixed(2)}`, value >= GOAL.ratio, detail);
  }
}

/** Measures a load, and the node's CPU per request in microseconds: the median of the rounds after the first. */
function costsOf(node: Running, load: Load) {
  const cpus: number[] = [];
  return {
    async measure(seconds: number) {
      const before = node.cpu();
      const figures = await generate(load, seconds);
      cpus.push(((node.cpu() - before) * 1e6) / (figures.rate * seconds));
      return figures;
    },
    cpu: () => median(cpus.slice(1)),
  };
}

const agent = new Agent({ keepAlive: true });

/**
 * The milliseconds until a GET's compressed response is complete. The bytes are discarded: `fetch` would
 * store and decompress them, and this process's garbage collection pauses would be attributed to the node.
 */
function timeOf(url: string, headers: Record<string, string>): Promise<number> {
  const from = performance.now();
  return new Promise((resolve, reject) => {
    const asked = get(url, { agent, headers: { ...headers, 'accept-encoding': 'br, gzip' } }, (answer) => {
      answer.resume();
      answer.on('error', reject);
      answer.on('end', () => {
        if (answer.statusCode === 200) resolve(performance.now() - from);
        else reject(new Error(`${url}: ${answer.statusCode}`));
      });
    });
    asked.on('error', reject);
  });
}

/**
 * Measures the first snapshots of a server and of a channel, one request at a time, cycling through people,
 * and the very first snapshot that a node serves.
 */
async function measureFirstPictures(stage: Stage, node: Running): Promise<void> {
  const { made, channelIds, people } = stage;
  const reads = {
    'snapshot of a server': `/servers/${made.large.serverId}/snapshot`,
    'view of a channel': `/channels/${channelIds[0]}/view`,
  };
  for (const [name, path] of Object.entries(reads)) {
    const read = (number: number): Promise<number> => {
      const { token } = people[number % people.length] as Person;
      return timeOf(`${node.url}/api/people${path}`, sessionOf(stage, token));
    };
    const cold = await read(0);
    const warmUp = SAMPLES / 10;
    for (let number = 1; number < warmUp; number++) await read(number);
    const times: number[] = [];
    const before = node.cpu();
    while (times.length < SAMPLES) times.push(await read(warmUp + times.length));
    const cpu = ((node.cpu() - before) * 1_000) / SAMPLES;
    const p99 = percentile(times, 0.99);
    const detail = `, median ${median(times).toFixed(1)} ms, ${cpu.toFixed(1)} ms of node CPU; ${cold.toFixed(0)} ms for the first request to the node`;
    const named = `p99 of the ${name} with ${channelIds.length} channels`;
    reportWithLoad(named, p99, ' ms', `≤ ${GOAL.readMs} ms`, p99 <= GOAL.readMs, detail);
  }
}

/** Opens a stream for all servers for each person, and sends a message that all of them receive. */
async function measureStreams(stage: Stage, node: Running): Promise<void> {
  const { made, people, ownToken } = stage;
  // Warms up first, so memory for compiled code is not attributed to the streams.
  for (let number = 0; number < 500; number++) await fetch(`${node.url}/healthz`);
  const before = node.memory();
  say(`Opening ${STREAMS.toLocaleString('en')} streams for all servers…`);
  const from = performance.now();
  const tokens = [ownToken, ...people.slice(1).map(({ token }) => token)];
  const clients = await StreamClients.gatherWith(
    node,
    STREAMS,
    tokens.map((token) => sessionOf(stage, token)),
    stage.folder,
    { path: '/api/people/events', type: 'message.created' },
  );
  try {
    say(`opened in ${((performance.now() - from) / 1000).toFixed(1)} s`);
    // Waits until presence has been recorded as well.
    await untilIdle(node);
    const each = (node.memory() - before) / STREAMS / 1024;
    const goal = `≤ ${GOAL.kilobytes} KB`;
    reportWithLoad('memory per stream for all servers', each, ' KB', goal, each <= GOAL.kilobytes);
    const body = JSON.stringify({ channelId: made.busy.id, content: CONTENT });
    const shots = [];
    for (let shot = 0; shot < SHOTS; shot++) shots.push(await clients.shoot('/api/v1/messages', body));
    const last = median(shots.map(({ last }) => last));
    const [middle, worst] = [
      median(shots.map((shot) => shot.median)),
      Math.max(...shots.map((shot) => shot.last)),
    ];
    const detail = `, median stream ${middle.toFixed(0)} ms, worst round ${worst.toFixed(0)} ms`;
    const named = `time until the last of ${STREAMS.toLocaleString('en')} streams receives an event`;
    reportWithLoad(named, last, ' ms', `≤ ${GOAL.lastMs} ms`, last <= GOAL.lastMs, detail);
  } finally {
    clients.disperse();
  }
}
