import { once } from 'node:events';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { quotaTable } from '../../server/src/limits/quotas.ts';
import { openData } from '../../server/src/node/data.ts';
import { change } from '../../server/src/resources/change.ts';
import { removeWebhooks } from '../../server/src/resources/webhook/remove.ts';
import { everyOperation, type Operation } from '../../test/support/everyOperation.ts';
import { dataOf } from '../../test/support/expect.ts';
import { Scene } from '../../test/support/scene.ts';
import { listAll, World } from '../../test/support/world.ts';
import { type Running, untilIdle } from '../processes.ts';
import { optionOf, percentile, quick, say } from '../report.ts';
import type { Stage } from './kept.ts';
import { bodyOf, keyOf, Requests } from './requests.ts';
import { sought } from './words.ts';

/** The number of calls to each operation, and of additional calls to the slowest operations. */
const CALLS = quick ? 1 : 3;
const FURTHER_CALLS = quick ? 4 : 97;
const SLOWEST = 15;
/**
 * Pause before each call. It lets the node finish the work caused by creating the records for the call, such as webhook
 * deliveries.
 */
const SETTLE_MS = 10;
const GOAL_MS = 20;
const REASON_CHARACTERS = 100;

interface Called {
  operation: Operation;
  /** Milliseconds per call. */
  times: number[];
  /** The longest turn of the event loop during each call, in milliseconds of CPU. */
  turns: number[];
}

/** Calls every operation a few times, one call at a time, and lists those with the longest turns and times. */
export async function walkOperations(
  stage: Stage,
  start: (environment: Record<string, string>) => Promise<Running>,
): Promise<string[]> {
  const socket = join(stage.folder, 'turns.sock');
  const node = await start({
    BENCH_TURNS: socket,
    // With `--import`, a checkout starts from its sources, and would compile each module in a turn.
    NODE_OPTIONS: `-r ${JSON.stringify(fileURLToPath(new URL('turns.ts', import.meta.url)))}`,
    PALAVER_CALL_URL: 'https://meet.example.com/{room}',
    // Most operations create a record for each call, and some start a run of a flow.
    PALAVER_QUOTAS: '{"*":0}',
    PALAVER_FLOW_RUNS_PER_MINUTE: '0',
  });
  const place = { data: stage.folder, database: stage.database };
  const data = await openData(place, undefined, { existing: true });
  const requests = new Requests(node.url, 1);
  try {
    const scene = await sceneOf(stage, World.beside(node.url, data, place));
    const all = await operationsOf(stage, scene);
    await untilIdle(node);
    await longestTurn(socket);
    await sleep(1_000);
    const idle = await longestTurn(socket);
    const failed: string[] = [];
    const called: Called[] = [];
    for (const operation of all) {
      const one: Called = { operation, times: [], turns: [] };
      const reason = await call({ requests, socket }, one, CALLS);
      await removeCreated(scene, operation);
      if (reason === undefined) called.push(one);
      else failed.push(`${operation.name} (${reason})`);
    }
    const slowest = called.toSorted((one, other) => worst(other) - worst(one)).slice(0, SLOWEST);
    for (const one of slowest) {
      const reason = await call({ requests, socket }, one, FURTHER_CALLS);
      if (reason !== undefined) failed.push(`${one.operation.name}, after some calls (${reason})`);
      await removeCreated(scene, one.operation);
    }
    return report(slowest, { idle, called: called.length, failed });
  } finally {
    requests.close();
    await node.stop();
    await data.db.close();
  }
}

/** Connections to the node: for requests, and for its turns. */
interface Place {
  requests: Requests;
  socket: string;
}

/**
 * Calls an operation and records the durations. Returns the reason if a call was rejected; undefined if all
 * succeeded.
 */
async function call(
  { requests, socket }: Place,
  { operation, times, turns }: Called,
  amount: number,
): Promise<string | undefined> {
  for (let number = 0; number < amount; number++) {
    const asked = await operation.ready().catch((error: Error) => error);
    if (asked instanceof Error) return asked.message.slice(0, REASON_CHARACTERS);
    await sleep(SETTLE_MS);
    await longestTurn(socket);
    const answer = await requests.ask(asked);
    turns.push(await longestTurn(socket));
    times.push(answer.ms);
    if (answer.status >= 400)
      return `${answer.status} ${bodyOf(answer).error?.message ?? ''}`.slice(0, REASON_CHARACTERS);
  }
  return undefined;
}

const worst = ({ times, turns }: Called): number => Math.max(...turns) + percentile(times, 0.5);

/** The longest turn of a node's event loop since the last call. See `turns.ts`. */
async function longestTurn(path: string): Promise<number> {
  const socket = connect(path);
  const [bytes] = await once(socket, 'data');
  return Number(String(bytes));
}

function report(
  slowest: readonly Called[],
  { idle, called, failed }: { idle: number; called: number; failed: readonly string[] },
): string[] {
  const lines = [
    `The slowest of ${called} operations, one call at a time. An idle loop's longest turn: ${idle.toFixed(1)} ms of CPU, which is subtracted. Goal: turns p99 ≤ ${GOAL_MS} ms.`,
    '',
    '| Operation | p50 | p99 | longest turn p50, CPU | p99 |',
    '|---|---|---|---|---|',
    ...slowest.map(({ operation, times, turns }) => {
      const net = turns.map((turn) => Math.max(0, turn - idle));
      const cells = [
        percentile(times, 0.5),
        percentile(times, 0.99),
        percentile(net, 0.5),
        percentile(net, 0.99),
      ];
      return `| ${operation.name} | ${cells.map((value) => value.toFixed(1)).join(' | ')} |`;
    }),
    ...(failed.length > 0 ? ['', `Rejected: ${failed.join(', ')}.`] : []),
  ];
  say(lines.join('\n'));
  return lines;
}

async function sceneOf({ ownerId, serverId }: Stage, world: World): Promise<Scene> {
  const [owner, server] = [{ id: ownerId }, { id: serverId }];
  return new Scene({ world, owner, server, admin: await world.client(server, ['canAdmin'], owner) });
}

/**
 * Deletes records that would slow down the operations that follow: exports, which read all messages, and the
 * webhooks that exceed the default quota.
 */
async function removeCreated({ world, server, admin }: Scene, { name }: Operation): Promise<void> {
  if (name.startsWith('export'))
    for (const { id } of dataOf(await admin.get(`/servers/${server.id}/exports`)))
      dataOf(await admin.delete(`/exports/${id}`));
  if (!name.startsWith('webhook')) return;
  const all = await listAll(admin, `/servers/${server.id}/webhooks`);
  const extra = all.filter(({ direction }) => direction === 'out').slice(quotaTable.webhooks.default);
  const ids = extra.map(({ id }) => id as string);
  if (ids.length > 0) await change(world.data, (work) => removeWebhooks(work, { id: ids }));
}

/** All operations, and searches for words that occur in the messages. */
async function operationsOf(stage: Stage, scene: Scene): Promise<Operation[]> {
  const { server, admin } = scene;
  const channel = { id: stage.channels[0]?.id, serverId: stage.serverId };
  const search = (word: string): Operation => ({
    name: `serverMessages, q=${word}`,
    ready: async () => ({
      path: `/api/v1/servers/${server.id}/messages?q=${word}`,
      headers: keyOf(admin.key),
    }),
  });
  const all = [...(await everyOperation(scene, channel)), ...Object.values(sought).map(search)];
  const only = optionOf('--operations')?.split(',');
  return only ? all.filter(({ name }) => only.includes(name)) : all;
}
