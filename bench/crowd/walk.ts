import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { addSession } from '../../server/src/accounts/session.ts';
import { openData } from '../../server/src/node/data.ts';
import { change } from '../../server/src/resources/change.ts';
import { operations, pathOf, requestOf } from '../../test/rows/index.ts';
import { Scene } from '../../test/support/scene.ts';
import { type Json, World } from '../../test/support/world.ts';
import { type Running, untilIdle } from '../processes.ts';
import { percentile, quick, say } from '../report.ts';
import type { Person } from './data.ts';
import type { Stage } from './kept.ts';
import { type Asked, bodyOf, keyOf, Requests, sessionOf } from './requests.ts';
import { sought } from './words.ts';

/** Calls of each operation, and further calls of the slowest ones. */
const CALLS = quick ? 1 : 3;
const FURTHER_CALLS = quick ? 4 : 97;
const SLOWEST = 15;
const GOAL_MS = 20;
const REASON_CHARACTERS = 100;

/** An operation: `ready` prepares a request, which is not measured. */
interface Operation {
  name: string;
  ready(): Promise<Asked>;
}

interface Called {
  operation: Operation;
  /** Milliseconds of each call. */
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
    NODE_OPTIONS: `--import=${new URL('turns.ts', import.meta.url).href}`,
  });
  const place = { data: stage.folder, database: stage.database };
  const data = await openData(place, undefined, { existing: true });
  const requests = new Requests(node.url, 1);
  try {
    const all = await operationsOf(stage, World.beside(node.url, data, place));
    await untilIdle(node);
    await longestTurn(socket);
    await sleep(1_000);
    const idle = await longestTurn(socket);
    const failed: string[] = [];
    const called: Called[] = [];
    for (const operation of all) {
      const one: Called = { operation, times: [], turns: [] };
      const reason = await call(one, CALLS);
      if (reason === undefined) called.push(one);
      else failed.push(`${operation.name} (${reason})`);
    }
    const slowest = called.toSorted((one, other) => worst(other) - worst(one)).slice(0, SLOWEST);
    for (const one of slowest) await call(one, FURTHER_CALLS);
    return report(slowest, { idle, called: called.length, failed });
  } finally {
    requests.close();
    await node.stop();
    await data.db.close();
  }

  /** Returns why a call was refused; undefined if all succeeded. */
  async function call({ operation, times, turns }: Called, amount: number): Promise<string | undefined> {
    for (let number = 0; number < amount; number++) {
      const asked = await operation.ready().catch((error: Error) => error);
      if (asked instanceof Error) return asked.message.slice(0, REASON_CHARACTERS);
      await longestTurn(socket);
      const answer = await requests.ask(asked);
      turns.push(await longestTurn(socket));
      times.push(answer.ms);
      if (answer.status >= 400)
        return `${answer.status} ${bodyOf(answer).error?.message ?? ''}`.slice(0, REASON_CHARACTERS);
    }
    return undefined;
  }
}

const worst = ({ times, turns }: Called): number => Math.max(...turns) + percentile(times, 0.5);

/** The longest turn of a node since the last call: see `turns.ts`. */
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
    ...(failed.length > 0 ? ['', `Refused here: ${failed.join(', ')}.`] : []),
  ];
  say(lines.join('\n'));
  return lines;
}

/** All operations of keys, and those of people that read or change little. */
async function operationsOf(stage: Stage, world: World): Promise<Operation[]> {
  const owner = { id: stage.ownerId };
  const admin = await world.client({ id: stage.serverId }, ['canAdmin'], owner);
  const place = { id: stage.channels[0]?.id, serverId: stage.serverId };
  const elsewhere = new Scene({ world, owner, server: { id: stage.serverId }, admin });
  const scene = elsewhere.with({ place });
  return [
    ...operations.map(
      (row): Operation => ({
        name: row.name,
        async ready() {
          // Its rows would change or delete the large channel.
          const { id, body } = await requestOf(row, row.noun.name === 'channel' ? elsewhere : scene);
          const path = `/api/v1${pathOf(row, id)}`;
          return { method: row.method, path, headers: keyOf(admin.key), ...(body && { body }) };
        },
      }),
    ),
    ...(await operationsOfPeople(stage, scene)),
  ];
}

/** Reads of people that are left out: an export has its own limits, and an id of theirs would have to be made. */
const leftOut = new Set(['personExport', 'platformUserById']);

/** The operations of people: their reads, and writes that change little. */
async function operationsOfPeople(stage: Stage, scene: Scene): Promise<Operation[]> {
  const { world, server, admin } = scene;
  const { id: threadId, messageId } = await scene.thread({ channelId: stage.channels[0]?.id as string });
  const edited = await scene.message();
  await admin.patch(`/messages/${edited.id}`, { content: 'edited' });
  const [sent] = (await admin.get(`/channels/${stage.channels[0]?.id}/messages?limit=1`)).data;
  const operator = await world.user({ platformAdmin: true });
  await world.member(server, operator);
  const signedIn = async ({ id }: Json): Promise<Person> => {
    const { token } = await change(world.data, (work) => addSession(work, { userId: id, device: null }));
    return { id, token };
  };
  const [asOwner, asOperator] = [await signedIn(scene.owner), await signedIn(operator)];

  const ids: Record<string, string> = {
    ...{
      servers: server.id,
      threads: threadId,
      messages: edited.id,
      channels: stage.channels[0]?.id as string,
    },
  };
  const at = { channelId: ids.channels, messageId: sent.id };
  const writes: Record<string, object> = {
    personRead: { marks: [at] },
    personUnread: at,
    personReadAll: {},
    personLevel: { channelId: ids.channels, level: 'all' },
    threadFollow: { following: true },
    draftSave: { channelId: ids.channels, content: `A thought about ${messageId}` },
    presenceSave: { status: 'idle', text: 'At sea' },
    notificationsRead: {},
    personTicketInsert: {},
    personUpdate: { name: 'Ada' },
  };
  const document: Json = JSON.parse(
    readFileSync(join(import.meta.dirname, '../../docs/openapi.json'), 'utf8'),
  );
  const made: Operation[] = [];
  for (const [path, item] of Object.entries<Json>(document.paths)) {
    if (!path.startsWith('/api/people/')) continue;
    for (const [method, { operationId: name }] of Object.entries<Json>(item)) {
      const body = writes[name];
      if (leftOut.has(name) || (method !== 'get' && !body)) continue;
      const person = path.includes('/platform/') ? asOperator : asOwner;
      const query = name === 'presences' ? `?userIds=${operator.id}` : '';
      const filled = path.replace(/([a-z-]+)\/\{\w+\}/g, (_, noun) => `${noun}/${ids[noun]}`) + query;
      const headers = sessionOf(stage, person);
      const asked = { method: method.toUpperCase(), path: filled, headers, ...(body && { body }) };
      made.push({ name, ready: async () => asked });
    }
  }
  const search = (word: string): Operation => ({
    name: `serverMessages, q=${word}`,
    ready: async () => ({
      path: `/api/v1/servers/${server.id}/messages?q=${word}`,
      headers: keyOf(admin.key),
    }),
  });
  return [...made, ...Object.values(sought).map(search)];
}
