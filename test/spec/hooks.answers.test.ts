// @run sqlite: tests requests and their responses
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Answered, Hook, postTo } from '../support/hookPost.ts';
import { type Json, World } from '../support/world.ts';

let world: World;
let hook: Json;
let channel: Json;
let opened: Hook;
before(async () => {
  world = await World.open();
  opened = await Hook.open(world);
  hook = opened.made;
  channel = opened.channel;
});
after(() => world.close());

const post = (path: string, body: string | object, headers?: Record<string, string>): Promise<Answered> =>
  postTo(world, path, body, headers);

const latest = async (): Promise<Json> => (await opened.messages(1))[0] as Json;

test('a body of up to 1 MiB is accepted, and a larger one is rejected with 413', async () => {
  const sized = (bytes: number) =>
    JSON.stringify({ text: 'large', rest: '' }).replace('""', `"${'x'.repeat(bytes - 26)}"`);
  assert.equal(sized(1024 * 1024).length, 1024 * 1024);
  assert.equal((await post(hook.path, sized(1024 * 1024))).text, 'ok');
  assert.equal((await latest()).content, 'large');
  const newest = (await latest()).id;
  for (const path of [hook.path, `${hook.path}/slack`, `${hook.path}/discord`, `${hook.path}/github`]) {
    const answer = await post(path, sized(1024 * 1024 + 1));
    assert.equal(answer.status, 413, answer.text);
    const { code, details } = JSON.parse(answer.text).error;
    assert.deepEqual([code, details[0].reason], ['INVALID_REQUEST', 'too_large']);
  }
  assert.equal((await latest()).id, newest);
});

test('700 alerts in one body become one message that states their number', async () => {
  const alerts = Array.from({ length: 700 }, (_, index) => ({
    status: 'firing',
    labels: { alertname: 'DiskFull', instance: `node-${index}.example.com:9100`, note: 'x'.repeat(400) },
    annotations: { summary: `The disk of node-${index} is full`, description: 'y'.repeat(200) },
  }));
  const body = { version: '4', status: 'firing', groupLabels: { alertname: 'DiskFull' }, alerts };
  assert.ok(JSON.stringify(body).length > 400_000);
  assert.equal((await post(hook.path, body)).text, 'ok');
  const { content } = await latest();
  assert.match(content, /^\*\*\[FIRING:700\] DiskFull\*\*/);
  const shown = content.match(/^- The disk/gm).length;
  assert.ok(shown > 3, content);
  assert.ok(content.endsWith(`- and ${700 - shown} more`), content.slice(-100));
});

test('a byte order mark in front of a body is ignored', async () => {
  await post(hook.path, '\uFEFF{"text": "marked"}');
  assert.equal((await latest()).content, 'marked');
  await post(hook.path, '\uFEFFplain', { 'content-type': 'text/plain' });
  assert.equal((await latest()).content, 'plain');
});

test('with ?wait=true, Discord clients get the message', async () => {
  const headers = { 'content-type': 'application/json', 'idempotency-key': 'waited' };
  for (let time = 0; time < 2; time++) {
    const answer = await post(`${hook.path}/discord?wait=true`, { content: 'Hello' }, headers);
    assert.equal(answer.status, 200);
    const { id, channel_id, content, author, timestamp, webhook_id } = JSON.parse(answer.text);
    const message = await latest();
    assert.deepEqual([id, channel_id, webhook_id], [message.id, channel.id, hook.id]);
    assert.deepEqual([author.id, author.username, author.bot], [hook.userId, 'Reports', true]);
    assert.equal(Date.parse(timestamp), message.createdAt);
    if (time === 0) assert.equal(content, 'Hello');
    assert.ok(!answer.text.includes(hook.token));
  }
  assert.equal((await post(`${hook.path}/discord?wait=false`, { content: 'Hello' })).status, 204);
});

test('GET and HEAD show clients that the URL works, without its token or messages', async () => {
  for (const suffix of ['', '/discord', '/slack']) {
    const url = world.url + hook.path + suffix;
    const answer = await fetch(url);
    const text = await answer.text();
    assert.equal(answer.status, 200, text);
    assert.deepEqual(Object.keys(JSON.parse(text)).sort(), [
      'application_id',
      'avatar',
      'channel_id',
      'guild_id',
      'id',
      'name',
      'type',
    ]);
    assert.ok(!text.includes(hook.token));
    assert.equal((await fetch(url, { method: 'HEAD' })).status, 200);
  }
  assert.equal((await fetch(`${world.url}/hooks/none`)).status, 401);
});

test('pages from any origin can post', async () => {
  const origin = 'https://example.com';
  const preflight = await fetch(world.url + hook.path, {
    method: 'OPTIONS',
    headers: { origin, 'access-control-request-method': 'POST' },
  });
  assert.equal(preflight.status, 204);
  assert.equal(preflight.headers.get('access-control-allow-origin'), '*');
  const answer = await fetch(world.url + hook.path, {
    method: 'POST',
    headers: { origin },
    body: 'from a page',
  });
  assert.equal(answer.headers.get('access-control-allow-origin'), '*');
  assert.equal((await latest()).content, 'from a page');
});
