import { loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { q } from '../server/src/db/statements.ts';
import type { Data } from '../server/src/node/data.ts';
import type { Asked } from '../test/support/everyOperation.ts';
import { Random } from '../test/support/seeded.ts';
import { bodyOf, keyOf, Requests } from './crowd/requests.ts';
import { cpuOfPostgres } from './postgresUse.ts';
import { type Running, untilIdle } from './processes.ts';
import { keep, machine, optionOf, percentile, quick, say } from './report.ts';
import { seedSince } from './seed.ts';
import { openStage, type Stage, startOn, withStage } from './stage.ts';
import { giveAdminKey, giveKeys, sendTo, steady, type Times } from './steady.ts';

/** The number of messages in the channel to delete. */
const MESSAGES = Number(optionOf('--messages') ?? (quick ? 10_000 : 100_000));
const PEOPLE = quick ? 500 : 5_000;
const CHANNELS = 100;
/** The number of keys that are created and then rotated, one at a time. */
const KEYS = quick ? 20 : 100;
/** The number of keys that send messages. */
const SENDERS = 100;
const SENDS_PER_SECOND = 50;
const CONNECTIONS = 64;
const SECONDS = quick ? 4 : 20;
/** The longest time for which a removal is measured. */
const MAX_REMOVAL_MS = 120_000;

/** Measures creating and rotating keys, and sends while a large channel is deleted, on either engine. */
export async function measureChanges(isOnPostgres: boolean): Promise<void> {
  const amounts = { channels: CHANNELS, messages: CHANNELS * 100, people: PEOPLE };
  const load = loadavg()[0]?.toFixed(1);
  await withStage(isOnPostgres, amounts, async (stage) => {
    const { folder, database, engine, made } = stage;
    const admin = keyOf(await giveAdminKey(stage));
    const keys = await giveKeys(stage, SENDERS);
    const place = { data: folder, database, secretKey: '' };
    await seedSince(place, made.large, made.user.id, { amount: MESSAGES, from: Date.now() - 2 * MESSAGES });
    const node = await startOn(stage);
    const requests = new Requests(node.url, CONNECTIONS);
    try {
      await untilIdle(node);
      const lines = [
        ...(await measureKeys(stage, { node, requests, admin })),
        '',
        ...(await measureRemoval(stage, { requests, pid: node.pid, admin, keys })),
      ];
      keep(`Keys and removals, ${engine}`, [
        `${machine}, load average ${load} before and ${loadavg()[0]?.toFixed(1)} after. A server with ${PEOPLE.toLocaleString('en')} members.`,
        '',
        ...lines,
      ]);
    } finally {
      requests.close();
      await node.stop();
    }
  });
}

async function measureKeys(
  { database }: Stage,
  { node, requests, admin }: { node: Running; requests: Requests; admin: Record<string, string> },
): Promise<string[]> {
  const cpu = async () => [node.cpu(), database ? await cpuOfPostgres(database) : 0] as const;
  const row = async (name: string, asked: readonly Asked[]) => {
    const [before, ofDatabase] = await cpu();
    const answers = [];
    for (const each of asked) answers.push(await requests.succeed(each));
    const [after, ofDatabaseAfter] = await cpu();
    const times = answers.map(({ ms }) => ms);
    const each = (seconds: number) => (seconds * 1_000) / asked.length;
    const cells = [
      percentile(times, 0.5),
      percentile(times, 0.99),
      each(after - before),
      each(ofDatabaseAfter - ofDatabase),
    ];
    const line = `| ${[name, ...cells.map((cell) => cell.toFixed(1))].join(' | ')} |`;
    say(line);
    return { line, answers };
  };
  const post = (path: string, body: object): Asked => ({ method: 'POST', path, headers: admin, body });
  const news = (from: number, amount: number) =>
    Array.from({ length: amount }, (_, index) =>
      post('/api/v1/secrets', { kind: 'apiKey', name: `Key ${from + index}` }),
    );
  await row('warm-up', news(0, 5));
  const created = await row('Create a key and its agent', news(5, KEYS));
  const ids: string[] = created.answers.map((answer) => bodyOf(answer).data.id);
  const rotations = ids.map((id) => post(`/api/v1/secrets/${id}/rotate`, {}));
  const rotated = await row('Rotate a key', rotations);
  return [
    '| Request | p50, ms | p99, ms | Node CPU, ms | PostgreSQL CPU, ms |',
    '|---|---|---|---|---|',
    created.line,
    rotated.line,
  ];
}

/** Sends messages to other channels before and while upkeep deletes the messages of a deleted channel. */
async function measureRemoval(
  stage: Stage,
  {
    admin,
    keys,
    ...node
  }: { requests: Requests; pid: number; admin: Record<string, string>; keys: readonly string[] },
): Promise<string[]> {
  const { id } = stage.made.large;
  const random = new Random(1);
  const next = () => sendTo(random.pick(stage.channelIds), keyOf(random.pick(keys)));
  const send = (until: Promise<unknown>) => steady(node, SENDS_PER_SECOND, next, until);
  const data = await openStage(stage);
  try {
    await send(sleep(1_000));
    const alone = await send(sleep(SECONDS * 1_000));
    const from = performance.now();
    const removal = node.requests
      .succeed({ method: 'DELETE', path: `/api/v1/channels/${id}`, headers: admin })
      .then(async ({ ms }) => ({ ms, left: await leftAfterRemoval(data, id) }));
    const during = await send(removal);
    const seconds = (performance.now() - from) / 1_000;
    const { ms, left } = await removal;
    const row = (name: string, { p50, p99, net, longest, requests }: Times) =>
      `| ${name} | ${[p50, p99, net, longest].map((value) => value.toFixed(1)).join(' | ')} | ${requests} |`;
    return [
      `A channel of ${MESSAGES.toLocaleString('en')} messages is deleted: the request took ${ms.toFixed(1)} ms, and ${left.toLocaleString('en')} messages were left after ${seconds.toFixed(0)} s. Meanwhile, ${SENDERS} keys send ${SENDS_PER_SECOND} messages a second to ${CHANNELS} other channels of the server; in ms.`,
      '',
      '| Sends | p50 | p99 | p99 without waiting for a core | Longest | Requests |',
      '|---|---|---|---|---|---|',
      row('before', alone),
      row('during the removal', during),
    ];
  } finally {
    await data.db.close();
  }
}

/** Waits until a deleted channel's messages are gone, for a limited time, and returns how many are left. */
async function leftAfterRemoval({ db }: Data, channelId: string): Promise<number> {
  const messages = q.selectFrom('message').where('channelId', '=', channelId);
  const end = performance.now() + MAX_REMOVAL_MS;
  // Counting all messages in each round would take too long.
  while (performance.now() < end && (await db.read.first(messages.select('id').limit(1)))) await sleep(250);
  const counted = await db.read.first(messages.select((eb) => eb.fn.countAll<number>().as('left')));
  return Number(counted?.left);
}
