// @run sqlite: the document is the same on every engine
import assert from 'node:assert/strict';
import { get } from 'node:http';
import { after, before, test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { Hook } from '../support/hookPost.ts';
import { Post } from '../support/post.ts';
import { type Json, World } from '../support/world.ts';

// Tests that the OpenAPI document works for code generators, API consoles and human readers.

const post = await Post.shared();
let world: World;
let document: Json;
before(async () => {
  world = await World.open({ proxies: 1 });
  document = await documentAt();
});
after(() => world.close());

interface Got {
  text: string;
  encoding: string | undefined;
  etag: string | undefined;
}

/** Requests the document with these headers. */
const ask = (headers: Record<string, string> = {}): Promise<Got> =>
  new Promise((done, failed) => {
    get(`${world.url}/openapi.json`, { headers }, async (response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of response) chunks.push(chunk);
      const { 'content-encoding': encoding, etag } = response.headers;
      done({ text: Buffer.concat(chunks).toString(), encoding, etag });
    }).once('error', failed);
  });

const documentAt = async (headers?: Record<string, string>): Promise<Json> =>
  JSON.parse((await ask(headers)).text);

/** Every object in a part of the document, with its path. */
function* objectsIn(part: Json, at = ''): Generator<[place: string, value: Json]> {
  if (typeof part !== 'object' || part === null) return;
  yield [at, part];
  for (const [name, child] of Object.entries(part)) yield* objectsIn(child, `${at}/${name}`);
}

const operationsIn = (paths: Json): Json[] => Object.values<Json>(paths).flatMap(Object.values);

test('examples of headers and parameters are ASCII, as HTTP requires', () => {
  let times = 0;
  for (const [place, value] of objectsIn(document)) {
    if (!/\/headers\/[^/]+$/.test(place) && !['path', 'query', 'header'].includes(value.in)) continue;
    const { example, examples, schema } = value;
    const text = JSON.stringify([example, examples, schema?.example, schema?.examples]);
    assert.match(text, /^[ -~]*$/, place);
    times++;
  }
  assert.ok(times > 100);
});

test('integers that can exceed 32 bits are int64, and all others are bounded', () => {
  let times = 0;
  for (const [place, { type, format, maximum, example }] of objectsIn(document)) {
    if (![type].flat().includes('integer') || example !== undefined || place.includes('/headers/')) continue;
    if (format === 'int64') times++;
    else assert.ok(maximum <= 2 ** 31 - 1, place);
  }
  assert.ok(times > 50);
  assert.equal(document.components.schemas.MessageEvent.properties.seq.format, 'int64');
});

test('no enum lists null among its values', () => {
  for (const [place, value] of objectsIn(document))
    if (Array.isArray(value.enum)) assert.ok(!value.enum.includes(null), place);
  const { disabledReason } = document.components.schemas.Webhook.properties;
  assert.deepEqual(disabledReason.anyOf, [{ type: 'string', enum: ['failing', 'gone'] }, { type: 'null' }]);
});

test("the server's URL is the one that the client requested", async () => {
  const addresses: [headers: Record<string, string>, url: string][] = [
    [{}, world.url],
    [{ host: 'chat.example.com' }, 'http://chat.example.com'],
    [{ host: 'Chat.Example.com:8443', 'x-forwarded-proto': 'https' }, 'https://chat.example.com:8443'],
    [{ host: 'chat.example.com', 'x-forwarded-proto': 'javascript' }, 'http://chat.example.com'],
    [{ host: 'chat.example.com', 'x-forwarded-host': 'evil.example' }, 'http://chat.example.com'],
    [{ host: '"},{"' }, '/'],
    [{ host: 'ada@chat.example.com' }, '/'],
    [{ host: '[::1]:8080' }, 'http://[::1]:8080'],
    [{ host: 'chat.example.com/path' }, '/'],
    [{ host: 'chat.example.com:99999' }, '/'],
  ];
  for (const [headers, url] of addresses) {
    const { servers, paths } = await documentAt(headers);
    assert.deepEqual([servers.length, servers[0].url], [1, url], JSON.stringify(headers));
    assert.deepEqual(Object.keys(paths), Object.keys(document.paths));
  }
});

test('requests with many different Host headers get the document without filling the cache or compressing each time', async () => {
  const encodings = [];
  for (let number = 0; number < 20; number++) {
    const headers = { host: `host${number}.example`, 'accept-encoding': 'gzip' };
    encodings.push((await ask(headers)).encoding);
    const plain = await ask({ ...headers, 'accept-encoding': 'identity' });
    assert.equal(JSON.parse(plain.text).servers[0].url, `http://host${number}.example`);
    assert.equal((await ask({ ...headers, 'accept-encoding': 'identity' })).etag, plain.etag);
  }
  assert.ok(encodings.filter((encoding) => encoding === 'gzip').length <= 8);
});

test('no optional parameter has an example, because consoles would prefill it in every request', () => {
  const places = [...objectsIn(document.paths), ...objectsIn(document.components.parameters)];
  const parameters = places.filter(
    ([, { in: place, name }]) => ['query', 'header'].includes(place) && !name.startsWith('webhook-'),
  );
  assert.ok(parameters.length > 50);
  const optional = parameters.filter(([, { required }]) => required !== true);
  for (const [place, { name, example, examples, schema }] of optional) {
    if (name === 'X-GitHub-Event') continue;
    assert.deepEqual([example, examples, schema.examples, schema.example], Array(4).fill(undefined), place);
  }
  const names = new Set(parameters.map(([, { name }]) => name));
  for (const name of ['Idempotency-Key', 'Last-Event-ID', 'cursor', 'after', 'before', 'around'])
    assert.ok(names.has(name), name);
});

test('tags are sorted by importance, and each has a description', () => {
  const names: string[] = document.tags.map(({ name }: Json) => name);
  assert.deepEqual(names.slice(0, 4), ['message', 'channel', 'secret', 'user']);
  const ofGroups = document['x-tagGroups'].flatMap(({ tags }: Json) => tags);
  assert.deepEqual(ofGroups, names);
  assert.ok(document.tags.every(({ description }: Json) => description.length > 5));
  const used = [...operationsIn(document.paths), ...operationsIn(document.webhooks)].map(
    ({ tags }) => tags[0],
  );
  assert.deepEqual([...new Set(used)].sort(), names.toSorted());
  const order = [...new Set(operationsIn(document.paths).map(({ tags }) => tags[0]))];
  assert.deepEqual(order, names, 'the paths are in the same order');
});

test('the events that webhooks send are described, including their data', async () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false }).addSchema(document, 'document');
  const types = Object.keys(document.webhooks);
  const logged = Object.keys(document.components.schemas.Event.discriminator.mapping);
  // Webhooks do not send these events, which only people and agents get.
  const ofPeople = /^(block\.|interaction\.|notification\.|invitation\.|server\.deleted$)/;
  const others = logged.filter((type) => !ofPeople.test(type));
  assert.deepEqual(types.toSorted(), [...others, 'ping'].sort());

  const webhook = await post.webhook({ types: null });
  const { admin } = post.scene;
  const channel = await post.scene.channel();
  await admin.post('/messages', { channelId: channel.id, content: 'Hello' });
  await admin.post(`/webhooks/${webhook.id}/ping`);
  const deliveries = await post.receiver.got(4);
  const sent = new Set(deliveries.map(({ event }) => event.type));
  for (const type of ['channel.created', 'message.created', 'ping']) assert.ok(sent.has(type), type);
  for (const { event, headers } of deliveries) {
    const { parameters, requestBody } = document.webhooks[event.type].post;
    const { $ref } = requestBody.content['application/json'].schema;
    assert.ok(ajv.validate({ $ref: `document${$ref}` }, event), `${event.type}: ${ajv.errorsText()}`);
    for (const { $ref } of parameters) {
      const { name } = document.components.parameters[$ref.split('/').at(-1)];
      assert.ok(headers[name], name);
    }
  }
});

test('incoming webhook URLs are described and accept the example bodies', async () => {
  const hook = await Hook.open(world);
  const paths = Object.keys(document.paths).filter((path) => path.startsWith('/hooks/'));
  assert.deepEqual(
    paths.sort(),
    ['', '/discord', '/github', '/slack'].map((end) => `/hooks/{token}${end}`),
  );
  for (const path of paths) {
    const { parameters, requestBody, responses, security } = document.paths[path].post;
    assert.deepEqual(security, []);
    const json = requestBody.content['application/json'];
    const headers = Object.fromEntries(
      parameters
        .filter(({ in: place, example }: Json) => place === 'header' && example)
        .map(({ name, example }: Json) => [name, example]),
    );
    const bodies = Object.values<Json>(json.examples).map(({ value }) => value);
    assert.ok(bodies.length > 0);
    for (const body of bodies) {
      const before = await hook.newest();
      const { status } = await hook.post(body, headers, path.slice('/hooks/{token}'.length));
      assert.ok(responses[status], `${path} ${status}`);
      assert.ok(status < 300);
      assert.notEqual(await hook.newest(), before);
    }
    const unknown = await fetch(world.url + path.replace('{token}', 'none'), { method: 'POST', body: '{}' });
    assert.ok(responses[unknown.status], `${path} ${unknown.status}`);
  }
  const { content } = document.paths['/hooks/{token}'].post.requestBody;
  const text = content['text/plain'].example;
  assert.equal(await hook.contentOf({ body: text, headers: { 'content-type': 'text/plain' } }), text);
});
