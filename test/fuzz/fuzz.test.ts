import assert from 'node:assert/strict';
import { Agent, request } from 'node:http';
import { after, before, test } from 'node:test';
import { pino } from 'pino';
import { Random, seed } from '../support/seeded.ts';
import { World } from '../support/world.ts';
import { AnswerCheck, type Reply } from './answers.ts';
import { isForPeople, type Operation, operationsOf } from './operations.ts';
import { type Asked, Requests } from './requests.ts';
import { Stock } from './stock.ts';
import { validRequest } from './valid.ts';

const total = Number(process.env.PALAVER_FUZZ_REQUESTS ?? 2_500);
/** Operations for people that require no personal secret. */
const plain: readonly string[] = ['personMe', 'sessions', 'serverInsert'];
const needsSecret = (operation: Operation) => isForPeople(operation) && !plain.includes(operation.id);

/** One in this many requests has an unknown path or method. */
const UNKNOWN_EVERY = 25;
/** After this many requests, rows are added to replace deleted ones. */
const REFILL_EVERY = 1_000;

/** The maximum number of additional draws for an operation that never succeeded. */
const EXTRA_DRAWS = 1_000;

let world: World;
/** The server's log lines about its own failures. */
const failures: string[] = [];
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
before(async () => {
  const logger = pino({ level: 'error', base: undefined }, { write: (line) => failures.push(line) });
  world = await World.open({ logger });
});
after(async () => {
  agent.destroy();
  await world.close();
});

test(`${total} random requests, seed ${seed}: no failures, and every response as documented`, async (t) => {
  const description = (await world.request('GET', `${world.url}/openapi.json`)).body;
  const operations = operationsOf(description);
  const check = new AnswerCheck(description);
  const stock = await Stock.fill(world);
  const random = new Random(seed);
  const requests = new Requests(random, stock);
  const succeeded = new Set<string>();
  const statuses = new Map<number, number>();

  const ask = async (number: number, operation: Operation | undefined, given?: Asked) => {
    if (number % REFILL_EVERY === REFILL_EVERY - 1) await stock.refill();
    const asked = given ?? (operation ? requests.of(operation) : requests.astray(operations));
    let reply: Reply | undefined;
    try {
      reply = await send(asked);
      statuses.set(reply.status, (statuses.get(reply.status) ?? 0) + 1);
      if (check.isPage(asked, reply)) return;
      const body = check.holds(operation, reply);
      if (!operation || reply.status !== 200) return;
      succeeded.add(operation.id);
      if (body.nextCursor) requests.cursors.push(body.nextCursor);
      const kind = body.data.webhookId ? 'webhookDelivery' : operation.kind;
      // An operation on several records does not return a record.
      const { id } = body.data;
      // Rows that a person creates are in their own servers.
      if (isForPeople(operation)) return;
      if (operation.method === 'post' && id) stock.add(kind, id);
      if (operation.method === 'delete') stock.forget(operation.kind, body.data.id);
    } catch (error) {
      const { method, target, headers, body } = asked;
      throw new Error(
        `seed ${seed}, request ${number}, ${operation?.id ?? 'astray'}: ${(error as Error).message}
${method} ${target} ${JSON.stringify(headers)} ${shorten(String(body))}
returned ${reply?.status} ${shorten(reply?.text ?? '')}
${failures.join('')}`,
      );
    }
  };
  for (let number = 0; number < total; number++)
    await ask(number, number % UNKNOWN_EVERY === 0 ? undefined : operations[number % operations.length]);
  // By chance, a few operations may not have succeeded yet. Draws them again, to test more than their errors.
  const missing = operations.filter(({ id }) => !succeeded.has(id)).filter((each) => !needsSecret(each));
  await stock.refill();
  for (const [at, operation] of missing.entries())
    for (let draw = 0; draw < EXTRA_DRAWS && !succeeded.has(operation.id); draw++)
      await ask(total + at * EXTRA_DRAWS + draw, operation);
  // Other operations need a state that is hardly ever drawn, such as a run that has failed.
  for (const operation of missing.filter(({ id }) => !succeeded.has(id))) {
    const asked = await validRequest(stock, operation.id);
    if (asked) await ask(0, operation, asked);
  }

  const { status, body } = await world.request('GET', `${world.url}/readyz`);
  assert.equal(status, 200, JSON.stringify(body));
  t.diagnostic(`seed ${seed}; responses by status: ${JSON.stringify(Object.fromEntries(statuses))}`);
  const never = missing.filter(({ id }) => !succeeded.has(id)).map(({ id }) => id);
  assert.deepEqual(never, [], `after ${EXTRA_DRAWS} more draws of each`);
  for (const expected of [200, 400, 401, 403, 404, 409]) assert.ok(statuses.has(expected), `no ${expected}`);
});

const shorten = (text: string): string =>
  text.length > 2_000 ? `${text.slice(0, 2_000)}… (${text.length})` : text;

/** Sends exactly these bytes; `fetch` would normalize them. */
function send({ method, target, headers, body }: Asked): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const isFramed = body === undefined || headers['transfer-encoding'] !== undefined;
    const length = isFramed ? {} : { 'content-length': String(Buffer.byteLength(body)) };
    const options = { method, path: target, headers: { ...length, ...headers }, agent };
    const outgoing = request(new URL(world.url), options, (incoming) => {
      incoming.setEncoding('utf8');
      let text = '';
      incoming.on('data', (piece) => {
        text += piece;
      });
      incoming.on('end', () =>
        resolve({ status: incoming.statusCode as number, headers: incoming.headers, text }),
      );
      incoming.on('error', reject);
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}
