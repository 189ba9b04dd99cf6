// @run sqlite: uses no database
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { Valkey, type ValkeyOptions } from '../../server/src/lib/valkey.ts';
import { until } from '../support/process.ts';
import { testsUnless } from '../support/skipping.ts';
import { freePort, startValkey, type ValkeyServer, valkeyBinary } from '../support/valkeyServer.ts';

/** The timeout for a command, and the extra time that a busy machine may need. */
const TIMEOUT_MS = 150;
const SLACK_MS = 600;
/** The time for an immediate failure on a busy machine. */
const IMMEDIATE_MS = 50;

const deaf = () => {};

const module = join(import.meta.dirname, '..', '..', 'server', 'src', 'lib', 'valkey.ts');

let server: ValkeyServer;
let open: { close(): void }[];

function connect(url: string, options: Partial<ValkeyOptions> = {}): Valkey {
  const valkey = new Valkey({ url, timeout: TIMEOUT_MS, ...options });
  open.push(valkey);
  return valkey;
}

/** An admin connection. */
function operator(): Redis {
  const redis = new Redis(server.url);
  open.push({ close: () => redis.disconnect() });
  return redis;
}

const echoOf = (valkey: Valkey) => {
  const script = valkey.script('return ARGV[1]');
  return (text: string) => script([], [text]);
};

/** The milliseconds until a promise rejects, and its message. */
async function failure(fails: Promise<unknown>): Promise<{ ms: number; message: string }> {
  const start = performance.now();
  try {
    await fails;
  } catch (error) {
    return { ms: performance.now() - start, message: (error as Error).message };
  }
  throw new Error('it did not fail');
}

const skip = valkeyBinary() ? false : 'no valkey-server or redis-server here';
const { afterEach, beforeEach, test } = testsUnless(skip);

beforeEach(async () => {
  open = [];
  server = await startValkey();
});
afterEach(async () => {
  for (const one of open) one.close();
  await server.stop();
});

test('absent at startup: gives the reason, fails immediately, and works once the server is up', async () => {
  await server.kill();
  const changes: [boolean, string][] = [];
  const valkey = connect(server.url, { onChange: (up, reason) => changes.push([up, reason]) });
  const heard: string[] = [];
  const hear = (text: string) => void heard.push(text);
  let gaps = 0;
  valkey.subscribe('channel', hear, () => gaps++);
  await until(() => changes.length > 0);
  assert.equal(valkey.up, false);
  assert.match(valkey.reason, /ECONNREFUSED/);
  const { ms, message } = await failure(echoOf(valkey)('nothing'));
  assert.ok(ms < IMMEDIATE_MS, `${ms} ms`);
  assert.match(message, /ECONNREFUSED/);
  await sleep(600);
  assert.deepEqual(changes, [[false, valkey.reason]]);

  await server.restart();
  await until(() => valkey.up && gaps === 1);
  assert.equal(valkey.reason, '');
  assert.equal(await echoOf(valkey)('here'), 'here');
  await valkey.publish('channel', 'news');
  await until(() => heard.length > 0);
  assert.deepEqual(heard, ['news']);
  assert.deepEqual(changes.at(-1), [true, '']);
});

test('killed under load: every command succeeds or fails soon, and the connection recovers', async () => {
  const valkey = connect(server.url);
  await until(() => valkey.up);
  const echo = echoOf(valkey);
  let answered = 0;
  let refused = 0;
  let slowest = 0;
  let working = true;
  open.push({ close: () => (working = false) });
  const work = async (worker: number) => {
    for (let number = 0; working; number++) {
      const start = performance.now();
      const text = `${worker}.${number}`;
      try {
        assert.equal(await echo(text), text);
        answered++;
      } catch (error) {
        if (error instanceof assert.AssertionError) throw error;
        refused++;
        await sleep(1);
      }
      slowest = Math.max(slowest, performance.now() - start);
    }
  };
  const workers = Promise.all(Array.from({ length: 16 }, (_, worker) => work(worker)));
  for (let round = 0; round < 3; round++) {
    await until(() => valkey.up);
    const before = answered;
    await until(() => answered > before + 100);
    await server.kill();
    await until(() => !valkey.up);
    const lost = refused;
    await until(() => refused > lost + 50);
    await server.restart();
  }
  await until(() => valkey.up);
  working = false;
  await workers;
  assert.ok(slowest < TIMEOUT_MS + SLACK_MS, `${slowest} ms`);
  const { calls, failures, seconds } = valkey.figures;
  assert.ok(calls >= answered && failures >= 3 && failures <= refused && seconds > 0);
});

test('frozen: one late failure, then immediate ones; thawed: up again, with no mixed-up reply and no leaked connection', async () => {
  const valkey = connect(server.url);
  let gaps = 0;
  valkey.subscribe('channel', deaf, () => gaps++);
  await until(() => valkey.up && gaps === 1);
  const echo = echoOf(valkey);
  assert.equal(await echo('before'), 'before');
  server.freeze();
  const late = await Promise.all(Array.from({ length: 20 }, (_, number) => failure(echo(`late ${number}`))));
  for (const { ms } of late) assert.ok(ms < TIMEOUT_MS + SLACK_MS, `${ms} ms`);
  assert.match(valkey.reason, /no response within 150 ms/);
  const { ms } = await failure(echo('refused'));
  assert.ok(ms < IMMEDIATE_MS, `${ms} ms`);
  await sleep(1_500);
  assert.equal(valkey.up, false);

  server.thaw();
  await until(() => valkey.up && gaps === 2);
  const texts = Array.from({ length: 200 }, (_, number) => `after ${number}`);
  assert.deepEqual(await Promise.all(texts.map(echo)), texts);
  const admin = operator();
  await until(async () => String(await admin.client('LIST')).split('name=palaver').length - 1 === 2);
});

test('frozen without any commands: the client still notices', async () => {
  const valkey = connect(server.url);
  await until(() => valkey.up);
  server.freeze();
  await until(() => !valkey.up, 3_000);
  server.thaw();
  await until(() => valkey.up);
});

test('a process that was busy for longer than the timeout does not blame the server', async () => {
  const valkey = connect(server.url);
  await until(() => valkey.up);
  const echo = echoOf(valkey);
  await echo('known');
  const asked = echo('patient');
  const end = performance.now() + 2 * TIMEOUT_MS;
  while (performance.now() < end);
  assert.equal(await asked, 'patient');
  assert.equal(valkey.up, true);
});

test('a read-only server counts as down until it is writable', async () => {
  const valkey = connect(server.url);
  await until(() => valkey.up);
  const admin = operator();
  await admin.config('SET', 'maxmemory', '1');
  const write = valkey.script("return redis.call('SET', KEYS[1], ARGV[1])");
  await assert.rejects(write(['key'], ['value']), /OOM/);
  // The client notices the change before its next ping.
  await until(() => !valkey.up, 600);
  assert.match(valkey.reason, /OOM/);
  await admin.config('SET', 'maxmemory', '0');
  await until(() => valkey.up);
  assert.equal(await write(['key'], ['value']), 'OK');
});

test('an invalid command fails on its own', async () => {
  const valkey = connect(server.url);
  await until(() => valkey.up);
  const wrong = valkey.script("return redis.call('INCR', KEYS[1], 'too', 'many')");
  await assert.rejects(wrong(['key'], []), /wrong number/i);
  for (let number = 0; number < 10; number++) {
    assert.equal(await echoOf(valkey)('fine'), 'fine');
    await sleep(20);
  }
  assert.equal(valkey.up, true);
  assert.deepEqual(valkey.figures.failures, 1);
});

test('a wrong and a missing password are reported; the right one works, even in a valkey:// URL', async () => {
  const guarded = await startValkey('--requirepass', 'right');
  try {
    const at = (password: string) => guarded.url.replace('redis://', `valkey://${password}`);
    const [wrong, none, right] = [connect(at(':wrong@')), connect(guarded.url), connect(at(':right@'))];
    await until(() => right.up);
    await until(() => /WRONGPASS/.test(wrong.reason) && /NOAUTH/.test(none.reason));
    await sleep(600);
    assert.deepEqual([wrong.up, none.up, right.up], [false, false, true]);
    assert.doesNotMatch(wrong.reason, /wrong@|:wrong/);
    assert.match((await failure(echoOf(wrong)('x'))).message, /WRONGPASS/);
  } finally {
    await guarded.stop();
  }
});

test('a user without permission to subscribe gets a clear error and can still send commands', async () => {
  const admin = operator();
  await admin.call('ACL', 'SETUSER', 'app', 'on', '>secret', '~*', '+@all', 'resetchannels');
  const valkey = connect(server.url.replace('redis://', 'redis://app:secret@'));
  valkey.subscribe('channel', deaf, () => assert.fail('it was subscribed'));
  await until(() => /^no subscriptions: NOPERM/.test(valkey.reason));
  assert.equal(valkey.up, true);
  assert.equal(await echoOf(valkey)('fine'), 'fine');
  await assert.rejects(valkey.publish('channel', 'news'), /NOPERM/);
  await sleep(300);
  assert.equal(valkey.up, true);
});

test('a server that is not Valkey is reported, whether it speaks another protocol or stays silent', async () => {
  const silent = createServer();
  const other = createHttpServer();
  for (const listener of [silent, other]) await listen(listener);
  const at = (listener: Server) => `redis://127.0.0.1:${(listener.address() as AddressInfo).port}`;
  const [mute, foreign] = [connect(at(silent)), connect(at(other))];
  await until(() => /not a Valkey or Redis server/.test(foreign.reason));
  await until(() => /no response within/.test(mute.reason));
  assert.deepEqual([mute.up, foreign.up], [false, false]);
});

for (const state of ['there', 'absent', 'frozen'] as const) {
  test(`a closed client keeps no process alive, with the server ${state}`, async () => {
    const url = state === 'absent' ? `redis://127.0.0.1:${await freePort()}` : server.url;
    const program = `
        import { Valkey } from ${JSON.stringify(module)};
        const valkey = new Valkey({ url: ${JSON.stringify(url)}, onChange: (up) => console.log(up) });
        valkey.subscribe('channel', () => {}, () => {});
        process.stdin.once('data', () => {
          valkey.publish('channel', 'last').catch(() => {});
          valkey.close();
          valkey.publish('channel', 'later').catch(() => {});
          process.stdin.destroy();
        });
      `;
    const child = spawn(process.execPath, ['--input-type=module-typescript', '-e', program]);
    open.push({ close: () => child.kill('SIGKILL') });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text) => {
        output += text;
      });
    }
    await until(() => output.includes(state === 'absent' ? 'false' : 'true'), 20_000);
    if (state === 'frozen') {
      server.freeze();
      await until(() => output.includes('false'));
    }
    child.stdin.write('close\n');
    const [code, signal] = await once(child, 'close', { signal: AbortSignal.timeout(10_000) });
    assert.deepEqual([code, signal], [0, null]);
    assert.match(output, /^((true|false)\n)+$/);
  });
}

/** Listens on a free port; after the test, closes all connections. */
async function listen(listener: Server): Promise<void> {
  const sockets: Socket[] = [];
  listener.on('connection', (socket) => sockets.push(socket)).listen(0, '127.0.0.1');
  await once(listener, 'listening');
  open.push({
    close() {
      listener.close();
      for (const socket of sockets) socket.destroy();
    },
  });
}
