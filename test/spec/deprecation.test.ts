// @run sqlite: defines its own operations, which store nothing
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { deprecationStep } from '../../server/src/http/deprecation.ts';
import { body, deprecated, id, json, optional, record, text } from '../../server/src/operations/fields.ts';
import type { Operation } from '../../server/src/operations/perform.ts';
import { read } from '../../server/src/operations/read.ts';
import { write } from '../../server/src/operations/write.ts';
import { assertRefused, dataOf } from '../support/expect.ts';
import { Scene } from '../support/scene.ts';
import { type Answer, type Json, World } from '../support/world.ts';

// Tests how deprecated operations are announced, with operations that this file defines: the API has no deprecated
// ones so far.

const whole = { since: '2027-01-01', sunset: '2027-07-01', use: 'serverById' };
const field = { since: '2027-02-01', sunset: '2027-08-01', use: 'title' };
const parameter = { since: '2026-12-01', sunset: '2027-09-01' };

const answer = record('Old', { name: text({ max: 100 }) });
const target = () => ({ serverId: null });
const common = { tag: 'server', summary: 'An old read', open: true, visible: 'anyone', answer } as const;
const run = async (): Promise<Json> => ({ id: 'x', name: 'old', createdAt: 0, updatedAt: 0 });
const old = read({ ...common, operation: 'oldRead', path: '/old/:serverId', deprecated: whole, target, run });
const oldList = read({
  ...common,
  operation: 'oldList',
  path: '/old-list',
  list: 'many',
  query: body({ q: optional(deprecated(text({ max: 10, description: 'Words' }), parameter)) }),
  target,
  run: async () => ({ records: [await run()], next: [1] }),
});
const half = write({
  operation: 'oldWrite',
  method: 'POST',
  path: '/old',
  resource: 'channel',
  verb: 'insert',
  summary: 'An old write',
  body: body({ name: optional(deprecated(text({ max: 10 }), field)), title: optional(text({ max: 10 })) }),
  answer: record('OldAnswer', { creatorId: id(), any: json('Anything', 1) }),
  target: ({ principal }) => Promise.resolve({ serverId: principal.serverId as string }),
  run: async ({ newRow, principal }) => ({ ...newRow(), creatorId: principal.userId, any: 1 }),
});

let world: World;
let scene: Scene;
before(async () => {
  const further: Operation[] = [old, oldList, half];
  world = await World.open({ further });
  scene = await Scene.open(world);
});
after(() => world.close());

const POLICY = '</docs/guides/conventions#deprecation>';
const policyLinks = ['deprecation', 'sunset'].map((rel) => `${POLICY}; rel="${rel}"; type="text/html"`);

const told = ({ headers }: Answer) => ['deprecation', 'sunset', 'link'].map((name) => headers.get(name));
const secondsAt = (date: string) => Date.parse(date) / 1000;

test('a deprecated operation responds with its deprecation date, sunset date and successor', async () => {
  const { id: serverId } = scene.server;
  const answered = await world.request('GET', `/old/${serverId}`);
  dataOf(answered);
  assert.deepEqual(told(answered), [
    `@${secondsAt('2027-01-01')}`,
    'Thu, 01 Jul 2027 00:00:00 GMT',
    [...policyLinks, `</api/v1/servers/${serverId}>; rel="successor-version"`].join(', '),
  ]);
  assert.deepEqual(told(await scene.admin.get(`/servers/${serverId}`)), [null, null, null]);
});

test('deprecated fields and parameters set the headers only on requests that use them, in addition to the pagination link', async () => {
  const { admin } = scene;
  assert.deepEqual(told(await admin.post('/old', { title: 'x' })), [null, null, null]);
  const answered = await admin.post('/old', { name: 'x' });
  dataOf(answered);
  assert.deepEqual(told(answered), [
    `@${secondsAt('2027-02-01')}`,
    'Sun, 01 Aug 2027 00:00:00 GMT',
    policyLinks.join(', '),
  ]);
  const refused = await admin.post('/old', { name: 5 });
  assertRefused(refused, 'INVALID_REQUEST');
  assert.equal(refused.headers.get('deprecation'), `@${secondsAt('2027-02-01')}`);
  const [since, , link] = told(await world.request('GET', '/old-list?q=x'));
  assert.equal(since, `@${secondsAt('2026-12-01')}`);
  assert.match(link ?? '', /rel="sunset"; type="text\/html", <\/api\/v1\/old-list\?.*>; rel="next"$/);
  assert.match(told(await world.request('GET', '/old-list'))[2] ?? '', /^<[^>]*>; rel="next"$/);
});

test('pages from other origins can read the deprecation headers', async () => {
  const answered = await scene.admin.post('/old', { name: 'x' }, { origin: 'https://example.com' });
  assert.match(answered.headers.get('access-control-expose-headers') ?? '', /, Deprecation, Sunset(,|$)/);
});

test('the OpenAPI document marks deprecated operations, parameters and fields', async () => {
  const { body: document } = await world.request('GET', `${world.url}/openapi.json`);
  const { get: oldRead } = document.paths['/api/v1/old/{serverId}'];
  assert.equal(oldRead.deprecated, true);
  assert.deepEqual(oldRead['x-deprecation'], whole);
  assert.match(
    oldRead.description,
    /^\*\*Deprecated\*\* since 2027-01-01; may be removed from 2027-07-01\. Use `serverById` instead\./,
  );
  assert.ok('Sunset' in oldRead.responses[200].headers);
  const [q] = document.paths['/api/v1/old-list'].get.parameters;
  assert.deepEqual([q.name, q.deprecated, q.schema['x-deprecation']], ['q', true, parameter]);
  const { post } = document.paths['/api/v1/old'];
  const { name, title } = post.requestBody.content['application/json'].schema.properties;
  assert.deepEqual([post.deprecated, name.deprecated, title.deprecated], [undefined, true, undefined]);
});

test('uses are counted per name and key, up to a maximum number of pairs', async () => {
  const other = await World.open({ further: [half] });
  try {
    const there = await Scene.open(other);
    const others = await Promise.all(
      Array.from({ length: 204 }, () => other.client(there.server, ['canAdmin'], there.owner)),
    );
    dataOf(await there.admin.post('/old', { name: 'x' }));
    for (const answered of await Promise.all(others.map((client) => client.post('/old', { name: 'x' }))))
      dataOf(answered);
    dataOf(await there.admin.post('/old', { name: 'x' }));
    const { body: metrics } = await other.request('GET', `${other.url}/metrics`);
    const lines = String(metrics).match(/^palaver_deprecated_uses_total\{.*$/gm) ?? [];
    assert.equal(lines.length, 201);
    const count = (key: string) =>
      Number(
        lines
          .find((line) => line.includes(`name="oldWrite.name",key="${key}"`))
          ?.split(' ')
          .at(-1),
      );
    assert.equal(count(there.admin.secret.id), 2);
    assert.equal(count('others'), 5);
  } finally {
    await other.close();
  }
});

test('a deprecation that names an unknown replacement fails at startup', () => {
  const lost = read({
    ...common,
    operation: 'lost',
    path: '/lost',
    deprecated: { ...whole, use: 'nothing' },
    target,
    run,
  });
  assert.throws(() => deprecationStep(lost, [lost], () => {}), /lost: there is no operation nothing/);
});
