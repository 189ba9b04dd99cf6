import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { call, Stage } from '../support/process.ts';
import type { Json } from '../support/world.ts';
import { collection, runCollection } from './newman.ts';

// The Postman collection of docs/, as its users run it: all of it, on a new server with the limits as they are.

const stage = new Stage();
after(() => stage.close());

test('each request of the collection succeeds on a new server, but for three that show a refusal', async () => {
  const server = await stage.start(stage.folder(), { environment: { PALAVER_LIMITS: '' } });
  const ran = await runCollection(server.url, server.key, stage.folder());
  for (const { name, failures } of ran) assert.deepEqual(failures, [], name);
  const refused = ran.filter(({ status }) => status < 200 || status > 299).map(({ status }) => status);
  assert.deepEqual(refused, [409, 409, 404]);
  const { body } = await call(server, 'GET', '/openapi.json');
  // Those for people alone take a session, which no collection has.
  const operations = Object.entries<Json>(body.paths)
    .filter(([path]) => !/^\/(api\/people|oauth)\//.test(path))
    .flatMap(([, item]) => Object.keys(item));
  assert.ok(ran.length > operations.length, 'a request for each operation, and more');
});

test('the collection holds a request for each operation, and no value that works once only', () => {
  const items: Json[] = collection.item.flatMap(({ item }: Json) => item);
  const keys = items.flatMap(({ request }) => request.header).filter(({ key }) => key === 'Idempotency-Key');
  assert.ok(keys.length > 30);
  for (const { value } of keys) assert.equal(value, '{{$guid}}', 'a new one each time');
  for (const { request } of items)
    for (const { key, value, disabled } of request.url.query ?? [])
      assert.ok(disabled === true ? value === '' : ['q', 'ids'].includes(key), `${request.url.raw} ${key}`);
  const shown = JSON.stringify(items, (name, value) => (name === 'description' ? undefined : value));
  assert.doesNotMatch(shown, /019ca6b1|sk_live_plv_/, 'no identifier of an example');
  assert.equal(collection.variable.find(({ key }: Json) => key === 'key').value, '');
});
