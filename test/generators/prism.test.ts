import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { operations, pathOf, requestOf } from '../rows/index.ts';
import { gone, until } from '../support/process.ts';
import { Scene } from '../support/scene.ts';
import { type Json, World } from '../support/world.ts';

// Prism is a proxy between a client and the server, and validates every request and response against the
// document. As a mock server it returns the document's examples.

const program = join(import.meta.dirname, 'node_modules', '@stoplight', 'prism-cli', 'dist', 'index.js');
/** A response that no server returns. */
const wrong = { description: 'A number', content: { 'application/json': { schema: { type: 'number' } } } };
let world: World;
let scene: Scene;
const started: ChildProcess[] = [];
let proxy: string;
let mock: string;
before(async () => {
  world = await World.open();
  scene = await Scene.open(world);
  const file = join(world.place.data, 'openapi.json');
  const document = (await world.request('GET', `${world.url}/openapi.json`)).body;
  document.paths['/healthz'] = { get: { security: [], responses: { 200: wrong } } };
  writeFileSync(file, JSON.stringify(document));
  proxy = await startPrism('proxy', file, world.url);
  mock = await startPrism('mock', file);
});
after(async () => {
  for (const prism of started) {
    prism.kill('SIGKILL');
    await gone(prism);
  }
  await world.close();
});

/** Starts Prism and returns its address. */
async function startPrism(...words: string[]): Promise<string> {
  const args = [...words, '--host', '127.0.0.1', '--port', '0', '--multiprocess', 'false'];
  const prism = spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  started.push(prism);
  let output = '';
  prism.stdout?.setEncoding('utf8').on('data', (text) => {
    output += text;
  });
  await until(() => /listening on http:\/\/[\w.:]+/.test(output), 60_000);
  return /listening on (http:\/\/[\w.:]+)/.exec(output)?.[1] as string;
}

for (const operation of operations) {
  const { name, method } = operation;
  test(`${name}: neither the request nor the response violates the document`, async () => {
    const { id, body: made = {} } = await requestOf(operation, scene);
    const takesBody = 'fields' in operation || Object.keys(made).length > 0;
    const body = takesBody ? made : undefined;
    const url = `${proxy}/api/v1${pathOf(operation, id)}`;
    const headers = { authorization: `Bearer ${scene.admin.key}` };
    const given = await world.request(method, url, { body, headers });
    assert.deepEqual([given.status, given.headers.get('sl-violations')], [200, null]);
    const mocked = await world.request(method, url.replace(proxy, mock), { body, headers });
    assert.equal(mocked.status, 200, JSON.stringify(mocked.body));
  });
}

test('Prism does detect violations in requests and responses', async () => {
  const headers = { authorization: `Bearer ${scene.admin.key}`, 'content-type': 'application/json' };
  const asked = await fetch(`${proxy}/api/v1/messages`, {
    method: 'POST',
    headers,
    body: '{"channelId": 7, "content": 7}',
  });
  const answered = await fetch(`${proxy}/healthz`);
  assert.deepEqual([placesOf(asked), placesOf(answered)], [['request', 'request'], ['response']]);
});

const placesOf = ({ headers }: Response): string[] =>
  JSON.parse(headers.get('sl-violations') ?? '[]').map(({ location }: Json) => location[0]);
