import assert from 'node:assert/strict';
import { call, type Running, type Stage, until } from './process.ts';
import { listOf } from './remote.ts';
import type { Json } from './world.ts';

const SENDERS = 10;
/** Timeout for runs, in ms. Exceeds the lease of a killed or frozen process. */
const TAKEOVER_MS = 60_000;

/** The nodes' settings: flows have no limits. */
export const soakEnvironment = {
  PALAVER_LIMITS: '{"*":0}',
  PALAVER_FLOW_RUNS_PER_MINUTE: '0',
  PALAVER_FLOW_WRITES_PER_MINUTE: '0',
};

/** In each round, messages start runs that answer in the same channel. */
const pong = {
  name: 'Pong',
  trigger: {
    on: 'event',
    type: 'message.created',
    where: { path: 'event.data.content', startsWith: 'ping' },
  },
  steps: [
    {
      name: 'answer',
      do: 'message.send',
      channelId: '{{event.data.channelId}}',
      content: 'pong {{event.data.content}}',
    },
    { name: 'mark', do: 'reaction.add', messageId: '{{steps.answer.output.id}}', emoji: '📣' },
    {
      name: 'edit',
      do: 'message.update',
      messageId: '{{steps.answer.output.id}}',
      content: 'done {{event.data.content}}',
    },
  ],
};

/** One node, or several that share their data. */
export interface Nodes {
  readonly key: string;
  /** A node that serves requests. */
  at(number: number): Running;
  /** Kills a node in the middle of its work. */
  kill(): Promise<void>;
  /** Starts a node in place of the killed one. */
  restart(): Promise<void>;
}

/** The results of a soak, as read through the API. */
export interface Soaked {
  runs: number;
  /** The longest time in ms from a message, or from the restart if that is later, to the last step of its run. */
  latestMs: number;
}

/**
 * Creates a flow with three steps that is started by messages, kills a node in each round, and asserts
 * through the API that each step of each run happened exactly once. `runs` is the number of runs in each
 * round.
 */
export async function soakFlow(
  nodes: Nodes,
  { rounds, runs }: Record<'rounds' | 'runs', number>,
): Promise<Soaked> {
  const { id: flowId } = await make(nodes, '/flows', pong);
  let latestMs = 0;
  for (let round = 0; round < rounds; round++)
    latestMs = Math.max(latestMs, await soakRound(nodes, round, runs));
  const all = () => listOf(nodes.at(0), nodes.key, `/api/v1/flows/${flowId}/runs`);
  await until(async () => (await all()).every(({ endedAt }) => endedAt !== null), TAKEOVER_MS, 200);
  const ended = await all();
  assert.deepEqual(
    [ended.length, new Set(ended.map(({ status }) => status))],
    [rounds * runs, new Set(['done'])],
  );
  return { runs: ended.length, latestMs };
}

/** Runs `soakFlow` on one node, which is killed and restarted in each round, and stopped at the end. */
export async function soakAlone(stage: Stage, amounts: Record<'rounds' | 'runs', number>): Promise<Soaked> {
  const folder = stage.folder();
  const start = () => stage.start(folder, { environment: soakEnvironment });
  let server = await start();
  const nodes: Nodes = {
    key: server.key,
    at: () => server,
    async kill() {
      await server.end('SIGKILL');
    },
    async restart() {
      server = await start();
    },
  };
  const soaked = await soakFlow(nodes, amounts);
  assert.equal(await server.end(), 0);
  return soaked;
}

async function soakRound(nodes: Nodes, round: number, runs: number): Promise<number> {
  const { id: channelId } = await make(nodes, '/channels', { name: `round ${round}` });
  const messages = () => listOf(nodes.at(0), nodes.key, `/api/v1/channels/${channelId}/messages`);
  const answers = async () => (await messages()).filter(({ content }) => !content.startsWith('ping'));
  const sending = sendAll(nodes, channelId, runs);
  await until(async () => (await answers()).length >= runs / 4, TAKEOVER_MS, 5);
  await nodes.kill();
  await sending;
  await nodes.restart();
  const restartedAt = Date.now();
  // Messages that were sent before are only acknowledged again.
  const sent = await sendAll(nodes, channelId, runs);
  assert.equal(sent.length, runs);
  const done = async () => (await answers()).filter(({ content }) => content.startsWith('done'));
  await until(async () => (await done()).length >= runs, TAKEOVER_MS, 100);

  const found = await answers();
  assert.deepEqual(
    found.map(({ content }) => content).sort(),
    sent.map((content) => `done ${content}`).sort(),
  );
  assert.ok(found.every(({ reactions }) => reactions.length === 1 && reactions[0].count === 1));
  const sentAt = new Map((await messages()).map(({ content, createdAt }) => [content, createdAt]));
  return Math.max(
    ...found.map(({ content, editedAt }) => {
      const at = sentAt.get(content.slice('done '.length)) as number;
      return editedAt - Math.max(at, restartedAt);
    }),
  );
}

async function make(nodes: Nodes, path: string, body: Json): Promise<Json> {
  const answer = await call(nodes.at(0), 'POST', `/api/v1${path}`, { key: nodes.key, body });
  assert.equal(answer.status, 200, answer.text);
  return answer.body.data;
}

/**
 * Sends a round's messages, each with its own Idempotency-Key. A sender stops if its node is gone. Returns the accepted
 * messages.
 */
async function sendAll(nodes: Nodes, channelId: string, runs: number): Promise<string[]> {
  const sent: string[] = [];
  const send = async (sender: number) => {
    for (let number = sender; number < runs; number += SENDERS) {
      const content = `ping ${number}`;
      const headers = { 'idempotency-key': `${channelId} ${content}` };
      const options = { key: nodes.key, body: { channelId, content }, headers };
      const answer = await call(nodes.at(sender), 'POST', '/api/v1/messages', options).catch(() => undefined);
      if (!answer) return;
      assert.equal(answer.status, 200, answer.text);
      sent.push(content);
    }
  };
  await Promise.all(Array.from({ length: SENDERS }, (_, sender) => send(sender)));
  return sent;
}
