// @run sqlite: sends HTTP requests, which are the same for every engine
import assert from 'node:assert/strict';
import { type ChildProcess, execFile } from 'node:child_process';
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { FakeServer } from '../support/fakeServer.ts';
import { call, type Environment, gone, onTerminal, type Running, Stage, until } from '../support/process.ts';
import { assertFailed, jsonOf } from '../support/remote.ts';
import type { Json } from '../support/world.ts';

const stage = new Stage();
let server: Running;
let environment: Environment;
let channel: string[];
before(async () => {
  server = await stage.start(stage.folder());
  environment = { PALAVER_URL: server.url, PALAVER_KEY: server.key };
  channel = ['--channel', server.channelId];
});
after(() => stage.close());

const send = (args: string[], given: Environment = environment) => stage.run(['send', ...args], given);

async function messageOf(id: string): Promise<Json> {
  const { status, body } = await call(server, 'GET', `/api/v1/messages/${id}`, { key: server.key });
  assert.equal(status, 200);
  return body.data;
}

/** A running `palaver tail`. `text` is its standard output, `said` its standard error. */
async function tail(args: string[], given: Environment) {
  const child: ChildProcess = await stage.spawn(['tail', ...args], given);
  let [text, said] = ['', ''];
  child.stdout?.setEncoding('utf8').on('data', (piece) => {
    text += piece;
  });
  child.stderr?.setEncoding('utf8').on('data', (piece) => {
    said += piece;
  });
  const end = async () => {
    child.kill();
    await gone(child);
  };
  return { text: () => text, said: () => said, lines: () => text.split('\n').slice(0, -1), end };
}

/** Sends messages until one appears: a tail's stream starts with the next event. */
async function begun({ text }: { text(): string }): Promise<void> {
  await until(async () => {
    assert.equal((await send([...channel, 'beginning'])).code, 0);
    return text().includes('beginning');
  }, 60_000);
}

test('send prints the id of the message, or its record', async () => {
  const { code, stdout, stderr } = await send([...channel, 'Hello from a script']);
  assert.deepEqual([code, stderr], [0, '']);
  assert.match(stdout, /^[0-9a-f-]{36}\n$/);
  assert.equal((await messageOf(stdout.trim())).content, 'Hello from a script');
  const record = jsonOf(await send([...channel, '--json', '--', '--not an option']));
  assert.equal(record.content, '--not an option');
  const byFlags = await send([...channel, '--url', `${server.url}/`, '--key', server.key, 'By flags'], {
    PALAVER_URL: 'http://127.0.0.1:1',
    PALAVER_KEY: 'sk_live_plv_other',
  });
  assert.equal((await messageOf(byFlags.stdout.trim())).content, 'By flags');
});

test('send reads the text from standard input', async () => {
  const program = join(import.meta.dirname, '..', '..', 'server', 'bin', 'palaver.js');
  const running = promisify(execFile)(process.execPath, [program, 'send', ...channel], {
    env: { ...process.env, ...environment },
  });
  running.child.stdin?.end('two\nlines\n');
  const { stdout } = await running;
  assert.equal((await messageOf(stdout.trim())).content, 'two\nlines');
});

test('send reports errors in one line', async () => {
  assertFailed(await send([...channel]), /^no text: pass it as an argument or on standard input\n/);
  assertFailed(await send(['no channel']), /--channel/);
  assertFailed(await send(['--chanel', 'x', 'hi']), /--chanel.*Did you mean --channel\?/);
  assertFailed(await send(['--channel', 'none', 'hi']), /^NOT_FOUND: channel not found\n/);
  assertFailed(
    await send([...channel, 'hi'], { PALAVER_URL: server.url }),
    /^missing API key: set PALAVER_KEY\n/,
  );
  assertFailed(
    await send([...channel, 'hi'], { ...environment, PALAVER_KEY: 'sk_live_plv_x' }),
    /set PALAVER_KEY/,
  );
  assertFailed(await send([...channel, '--url', 'chat', 'hi']), /^--url must be a URL such as http/);
  const fake = new FakeServer((response) =>
    response.writeHead(301, { location: 'https://chat.example' }).end(),
  );
  assertFailed(
    await send([...channel, 'hi', '--url', await fake.listen()]),
    /redirects to https:\/\/chat\.example: pass that address with --url\n/,
  );
  fake.close();
});

test('send retries with the same idempotency key if the response is lost', async () => {
  const answered = JSON.stringify({ ok: true, data: { id: 'the-id' } });
  const fake = new FakeServer(
    (response) => response.destroy(),
    (response) => response.writeHead(503).end(),
    (response) => response.end(answered),
  );
  const sent = await send([...channel, 'once', '--url', await fake.listen()]);
  fake.close();
  assert.deepEqual(sent, { code: 0, stdout: 'the-id\n', stderr: '' });
  assert.equal(fake.asked.length, 3);
  const keys = new Set(fake.asked.map(({ headers }) => headers['idempotency-key']));
  assert.equal(keys.size, 1);
  assert.match([...keys][0] as string, /^[0-9a-f-]{36}$/);
  assert.deepEqual(JSON.parse(fake.asked[2]?.body as string), {
    channelId: server.channelId,
    content: 'once',
  });
  const again = ['--idempotency-key', 'a-key', ...channel, 'sent once'];
  assert.equal((await send(again)).stdout, (await send(again)).stdout);
});

test('tail prints events as JSON lines when its output is not a terminal', async () => {
  const following = await tail([...channel, '--types', 'message.*,pin.*'], environment);
  await begun(following);
  const { id } = jsonOf(await send([...channel, '--json', 'seen']));
  await until(() => following.text().includes(id));
  const events: Json[] = following.lines().map((line) => JSON.parse(line));
  const seen = events.find(({ data }) => data.id === id);
  assert.equal(seen?.type, 'message.created');
  assert.deepEqual(Object.keys(seen ?? {}), [
    'id',
    'seq',
    'type',
    'serverId',
    'actorId',
    'actor',
    'at',
    'data',
  ]);
  await following.end();
  const later = await tail(['--after', events[0]?.id], environment);
  await until(() => later.text().includes(id));
  assert.equal(JSON.parse(later.lines()[0] as string).seq, events[0]?.seq + 1);
  await later.end();
  assert.equal(later.said(), '');
});

test('on a terminal, tail prints human-readable lines with names and without control characters', async () => {
  const following = await tail([], { ...environment, ...onTerminal });
  await begun(following);
  const { id } = jsonOf(await send([...channel, '--json', 'red \u001b[31m\nalert']));
  const key = server.key;
  assert.equal((await call(server, 'POST', '/api/v1/pins', { key, body: { messageId: id } })).status, 200);
  await until(() => following.text().includes('pin.created'));
  const text = following.text();
  assert.match(text, /^\d\d:\d\d:\d\d {2}#general {2}Admin: red \[31m alert$/m);
  assert.match(text, /^\d\d:\d\d:\d\d {2}#general {2}pin\.created by Admin$/m);
  await following.end();
});

test('tail reconnects if the stream ends or breaks, and resumes after the last event', async () => {
  const told = (id: string) => `id: ${id}\ndata: ${JSON.stringify({ id, type: 'pin.created' })}\n\n`;
  const stream = (response: ServerResponse) =>
    response.writeHead(200, { 'content-type': 'text/event-stream', 'last-event-id': 'begin' });
  const fake = new FakeServer(
    (response) => {
      stream(response);
      response.write(`: here\n\n${told('one')}`);
      response.write('id: tw', () => response.destroy());
    },
    (response) => response.writeHead(503, { 'retry-after': '0' }).end(),
    (response) => {
      stream(response);
      response.end(told('two'));
    },
    (response) => {
      stream(response);
      response.write('id: three\nevent: reset\ndata: {"reason":"expired"}\n\n');
    },
  );
  const following = await tail(['--after', 'zero', '--url', await fake.listen()], environment);
  await until(() => following.lines().length === 3, 60_000);
  await following.end();
  fake.close();
  assert.deepEqual(
    following.lines().map((line) => JSON.parse(line)),
    [
      { id: 'one', type: 'pin.created' },
      { id: 'two', type: 'pin.created' },
      { reason: 'expired', type: 'reset', id: 'three' },
    ],
  );
  assert.deepEqual(
    fake.asked.map(({ headers }) => headers['last-event-id']),
    ['zero', 'one', 'one', 'two'],
  );
  assert.match(following.said(), /^the connection was lost; trying again\nreconnected\n/);
});

test('tail ends when its output is closed, and reports errors in one line', async () => {
  assertFailed(
    await stage.run(['tail', '--url', 'http://127.0.0.1:1'], environment),
    /^http:\/\/127\.0\.0\.1:1 does not respond .*: start the server, or pass another address with --url\n/,
  );
  assertFailed(await stage.run(['tail', '--after', 'nowhere'], environment), /is not the id of an event/);
  const fake = new FakeServer((response) => response.end('<html>'));
  assertFailed(
    await stage.run(['tail', '--url', await fake.listen()], environment),
    /is not a Palaver server: pass another address with --url\n/,
  );
  fake.close();
  const child = await stage.spawn(['tail'], environment);
  child.stdout?.destroy();
  const ended = once(child, 'exit');
  await until(async () => {
    await send([...channel, 'nobody reads this']);
    return child.exitCode !== null;
  }, 60_000);
  assert.deepEqual(await ended, [0, null]);
});
