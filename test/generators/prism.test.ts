import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { call, gone, type Running, Stage, until } from '../support/process.ts';
import type { Json } from '../support/world.ts';
import { runCollection } from './newman.ts';

// Prism stands between a client and the server, and holds every request and every answer against the document.

const program = join(import.meta.dirname, 'node_modules', '@stoplight', 'prism-cli', 'dist', 'index.js');
/** An answer as no server gives it. */
const wrong = { description: 'A number', content: { 'application/json': { schema: { type: 'number' } } } };
const stage = new Stage();
let server: Running;
let prism: ChildProcess;
let proxy: string;
before(async () => {
  server = await stage.start(stage.folder());
  const file = join(stage.folder(), 'openapi.json');
  const document = (await call(server, 'GET', '/openapi.json')).body;
  document.paths['/healthz'] = { get: { security: [], responses: { 200: wrong } } };
  writeFileSync(file, JSON.stringify(document));
  const args = ['proxy', file, server.url, '--host', '127.0.0.1', '--port', '0', '--multiprocess', 'false'];
  prism = spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  prism.stdout?.setEncoding('utf8').on('data', (text) => {
    output += text;
  });
  await until(() => /listening on http:\/\/[\w.:]+/.test(output), 60_000);
  proxy = /listening on (http:\/\/[\w.:]+)/.exec(output)?.[1] as string;
});
after(async () => {
  prism.kill('SIGKILL');
  await gone(prism);
  await stage.close();
});

test('no request of the collection, and no answer, differs from the document', async () => {
  const ran = await runCollection(proxy, server.key, stage.folder());
  assert.ok(ran.length > 60);
  for (const { name, failures, headers } of ran) {
    assert.deepEqual(failures, [], name);
    assert.equal(headers.get('sl-violations'), undefined, name);
  }
});

test('Prism does find what differs, in requests and in answers', async () => {
  const headers = { authorization: `Bearer ${server.key}`, 'content-type': 'application/json' };
  const asked = await fetch(`${proxy}/api/v1/messages`, {
    method: 'POST',
    headers,
    body: '{"channelId": 7}',
  });
  const answered = await fetch(`${proxy}/healthz`);
  assert.deepEqual([placesOf(asked), placesOf(answered)], [['request', 'request'], ['response']]);
});

const placesOf = ({ headers }: Response): string[] =>
  JSON.parse(headers.get('sl-violations') ?? '[]').map(({ location }: Json) => location[0]);
