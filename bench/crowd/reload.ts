import { once } from 'node:events';
import { type ClientRequest, request } from 'node:http';
import { Random } from '../../test/support/seeded.ts';
import type { Running } from '../processes.ts';
import { percentile, say } from '../report.ts';
import { Beside } from './beside.ts';
import type { Person } from './data.ts';
import type { Stage } from './kept.ts';
import { bodyOf, Requests, sessionOf } from './requests.ts';

/**
 * The number of people who reload the client at the same time, and the number of others who read pages in the
 * meantime.
 */
const PEOPLE = 1_000;
const OTHERS = 50;
/**
 * Concurrent connections. Must be below the listen backlog of a busy node (511), beyond which connections are
 * reset.
 */
const CONNECTIONS = 400;
const GOAL_SECONDS = 20;
const GOAL_MS = 100;

/**
 * Measures how long clients need to reload after a restart, until each has a snapshot, a channel and a
 * stream.
 */
export async function measureReload(stage: Stage, start: () => Promise<Running>): Promise<string[]> {
  const { people, channels } = stage;
  const reloading = people.slice(0, Math.min(PEOPLE, people.length / 2));
  const random = new Random(4);
  const node = await start();
  const requests = new Requests(node.url, CONNECTIONS);
  const streams: ClientRequest[] = [];
  const beside = new Beside(
    node.url,
    people.slice(-OTHERS).map((person) => ({
      path: `/api/v1/channels/${random.pick(channels).id}/messages`,
      headers: sessionOf(stage, person),
    })),
  );
  try {
    const before = node.cpu();
    const from = performance.now();
    const times: number[] = [];
    const reload = async (person: Person) => {
      const headers = sessionOf(stage, person);
      const channel = random.pick(channels).id;
      const paths = [
        'me',
        `servers/${stage.serverId}/snapshot`,
        `channels/${channel}/view?isThreadReply=false`,
      ];
      const [, snapshot] = await Promise.all(
        paths.map((path) => requests.succeed({ path: `/api/people/${path}`, headers })),
      );
      const { cursor } = bodyOf(snapshot as NonNullable<typeof snapshot>).data;
      const stream = request(`${node.url}/api/people/events?after=${encodeURIComponent(cursor)}`, {
        headers: { ...headers, accept: 'text/event-stream' },
      }).end();
      streams.push(stream);
      const [response] = await once(stream, 'response');
      if (response.statusCode !== 200) throw new Error(`a stream returned ${response.statusCode}`);
      response.on('error', () => {});
      response.resume();
      times.push(performance.now() - from);
    };
    await Promise.all(reloading.map(reload));
    const seconds = (performance.now() - from) / 1_000;
    const others = await beside.take();
    const cpu = ((node.cpu() - before) * 1_000) / reloading.length;
    const p99 = percentile(others, 0.99);
    const line = `${reloading.length} people reload after a restart: within ${seconds.toFixed(1)} s (goal ≤ ${GOAL_SECONDS} s; median ${(percentile(times, 0.5) / 1_000).toFixed(1)} s), with ${cpu.toFixed(1)} ms of CPU each. ${others.length} pages read by others: p50 ${percentile(others, 0.5).toFixed(1)} ms, p99 ${p99.toFixed(1)} ms (goal ≤ ${GOAL_MS} ms), longest ${Math.max(...others).toFixed(0)} ms.`;
    say(line);
    return [line];
  } finally {
    for (const stream of streams) stream.on('error', () => {}).destroy();
    await beside.close();
    requests.close();
    await node.stop();
  }
}
