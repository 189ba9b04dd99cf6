import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { pino } from 'pino';
import { Browser } from '../support/account.ts';
import { Random, seed } from '../support/seeded.ts';
import { type Answer, type Json, World } from '../support/world.ts';
import { isForPeople, kindOfField, type Operation, operationsOf } from './operations.ts';
import { Stock } from './stock.ts';
import { validRequest } from './valid.ts';

/** A string that is not an id. PostgreSQL refuses to compare it with a UUID column. */
const NO_ID = 'none';
/** Rows are added again after this many operations. */
const REFILL_EVERY = 30;

let world: World;
let stock: Stock;
/** The server's log lines about its own failures. */
const failures: string[] = [];
const random = new Random(seed);
before(async () => {
  const logger = pino({ level: 'error', base: undefined }, { write: (line) => failures.push(line) });
  world = await World.open({ logger });
  stock = await Stock.fill(world);
});
after(() => world.close());

type Path = readonly (string | number)[];

/** The location of an id in an operation's requests. */
interface Place {
  in: 'path' | 'query' | 'body';
  path: Path;
}

const isOfType = ({ type }: Json, expected: string): boolean => [type].flat().includes(expected);

/** The locations of ids in a schema, such as `marks[0].channelId`. */
function idPaths(schema: Json, path: Path = []): Path[] {
  const found = Object.entries<Json>(schema?.properties ?? {}).flatMap(([field, of]) =>
    idPaths(of, [...path, field]),
  );
  if (schema?.items) found.push(...idPaths(schema.items, [...path, 0]));
  const name = String(path.findLast((part) => typeof part === 'string'));
  return /(^id|Id)s?$/.test(name) && isOfType(schema, 'string') ? [...found, path] : found;
}

/** Query parameters that are not ids. */
const noIds = ['cursor', 'expand', 'types', 'q'];

function placesOf({ parameters, body }: Operation): Place[] {
  const texts = parameters.filter(
    ({ name, schema }) => !schema.enum && isOfType(schema, 'string') && !noIds.includes(name),
  );
  return [
    ...texts.map(({ name, in: within }) => ({ in: within as Place['in'], path: [name] })),
    // An id in a body must equal that in the path.
    ...idPaths(body)
      .filter(([first]) => first !== 'id' && first !== 'passkey')
      .map((path) => ({ in: 'body' as const, path })),
  ].filter((place) => ['path', 'query', 'body'].includes(place.in));
}

/** A value that a schema allows. */
function sampleFor(name: string, schema: Json, operation: Operation): unknown {
  const one = schema.anyOf?.[0] ?? schema;
  const kind = kindOfField(name, operation);
  if (one.enum) return one.enum[0];
  if (isOfType(one, 'object'))
    return Object.fromEntries(
      (one.required ?? []).map((field: string) => [
        field,
        sampleFor(field, one.properties[field], operation),
      ]),
    );
  if (isOfType(one, 'array')) return one.minItems ? [sampleFor(name, one.items, operation)] : [];
  if (isOfType(one, 'boolean')) return true;
  if (isOfType(one, 'integer') || isOfType(one, 'number'))
    return one['x-unit'] === 'milliseconds' ? Date.now() + 60_000 : (one.minimum ?? 0);
  if (kind) return stock.liveId(kind, random);
  return one.format === 'uri' ? 'https://example.com/' : (one.examples?.[0] ?? 'text');
}

/** A copy of a body with an invalid id at a path. */
function spoiled(body: Json, schema: Json, [first, ...rest]: Path, operation: Operation): unknown {
  if (first === undefined) return NO_ID;
  const of = typeof first === 'number' ? schema.items : schema.properties[first];
  const inner = body?.[first] ?? (rest.length > 0 ? sampleFor(String(first), of, operation) : undefined);
  const next = spoiled(inner as Json, of, rest, operation);
  return typeof first === 'number' ? [next] : { ...body, [first]: next };
}

/** Operations that read ids only in a state that this test does not create, such as a pending provider sign-in. */
const unreached = ['personProviderFinish body inviteId'];

/** Bodies for ids that are read only together with other fields. */
function moreBodies(operationId: string): Json[] {
  const live = (kind: string) => stock.liveId(kind, random);
  const bodies: Record<string, () => Json> = {
    secretInsert: () => ({ kind: 'appSecret', name: 'TOKEN', value: 'correct horse' }),
    personRead: () => ({ marks: [{ channelId: live('channel'), messageId: live('message') }] }),
    personUnread: () => ({ channelId: live('channel') }),
    invitationInsert: () => ({ userId: live('user') }),
    interactionInsert: () => ({ commandId: live('command'), channelId: live('channel') }),
  };
  return operationId in bodies ? [bodies[operationId]?.()] : [];
}

interface Request {
  method: string;
  target: string;
  body: unknown;
}

/** Requests for an operation with an invalid id at one location. */
async function requestsOf(operation: Operation, { in: within, path }: Place): Promise<Request[]> {
  const { id, body: schema, parameters } = operation;
  const needed = Object.fromEntries(
    parameters
      .filter(
        ({ name, in: where, required }) =>
          where === 'query' && (required || (id === 'serverMessages' && name === 'q')),
      )
      .map(({ name }) => [name, 'text']),
  );
  const method = operation.method.toUpperCase();
  const [name] = path;
  const target = operation.path.replace(/\{(\w+)\}/g, (_, of) =>
    within === 'path' && of === name
      ? NO_ID
      : stock.liveId(kindOfField(of, operation) ?? operation.kind, random),
  );
  const valid = await validRequest(stock, id);
  const validBody = valid?.body === undefined ? undefined : JSON.parse(String(valid.body));
  const bodies = schema
    ? [sampleFor('', schema, operation), ...(validBody ? [validBody] : []), ...moreBodies(id)]
    : [undefined];
  if (within === 'path')
    return bodies.map((body) => ({ method, target: `${target}?${new URLSearchParams(needed)}`, body }));
  const targets = valid ? [target, valid.target.split('?')[0] as string] : [target];
  if (within === 'query')
    return targets.flatMap((target) =>
      [NO_ID, `${NO_ID},${stock.liveId('user', random)}`].map((value) => ({
        method,
        target: `${target}?${new URLSearchParams({ ...needed, [name as string]: value })}`,
        body: undefined,
      })),
    );
  return bodies.map((body, at) => ({
    method,
    target: targets[at] ?? target,
    body: spoiled(body as Json, schema, path, operation),
  }));
}

/** Whether the response is one that an unknown id may get: not found, rejected or ignored. */
const isReached = ({ status, body }: Answer, { path }: Place): boolean =>
  status === 200 ||
  status === 404 ||
  (status === 400 &&
    (body.error.details ?? []).some(
      (problem: Json) =>
        problem.path.startsWith(path[0]) && !['missing', 'not_together'].includes(problem.reason),
    ));

test('every operation rejects a text that is not an id', async () => {
  const operations = operationsOf((await world.request('GET', `${world.url}/openapi.json`)).body);
  const admin = await world.user({ platformAdmin: true });
  await world.member(stock.scene.server, admin);
  const missed: string[] = [];
  for (const [at, operation] of operations.entries()) {
    if (at % REFILL_EVERY === REFILL_EVERY - 1) await stock.refill();
    for (const place of placesOf(operation)) {
      const answers: Answer[] = [];
      const browsers = await Promise.all([
        Browser.of(world, admin),
        Browser.of(world, stock.scene.owner, stock.scene.server),
      ]);
      const keys = isForPeople(operation) ? [] : stock.keys.slice(0, 2);
      const callers = [
        ...browsers.map(({ cookie, place }) => ({ cookie, 'palaver-server': String(place) })),
        ...keys.map((key) => ({ authorization: `Bearer ${key}` })),
      ];
      for (const { method, target, body } of await requestsOf(operation, place))
        for (const headers of callers) {
          const answer = await world.request(method, `${world.url}${target}`, {
            body,
            headers: { ...headers },
          });
          const asked = `${operation.id}: ${method} ${target} ${JSON.stringify(body)}`;
          assert.ok(answer.status < 500, `${asked}\n${failures.join('')}`);
          answers.push(answer);
        }
      if (!answers.some((answer) => isReached(answer, place)))
        missed.push(`${operation.id} ${place.in} ${place.path.join('.')}`);
    }
  }
  assert.deepEqual(missed, unreached);
});
