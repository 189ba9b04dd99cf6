// @run sqlite: tests code that runs before any data is read
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { Writable } from 'node:stream';
import { after, before, test } from 'node:test';
import pino from 'pino';
import { newToken, prefixes } from '../../server/src/access/credentials/token.ts';
import { until } from '../support/process.ts';
import { Scene } from '../support/scene.ts';
import { RawClient } from '../support/socket.ts';
import { World } from '../support/world.ts';

let world: World;
let token: string;
const log: string[] = [];
before(async () => {
  const stream = new Writable({
    write(line, _encoding, done) {
      log.push(String(line));
      done();
    },
  });
  world = await World.open({ logger: pino({ level: 'debug' }, stream) });
  const scene = await Scene.open(world);
  const { id: channelId } = await scene.channel();
  token = (await scene.webhook({ direction: 'in', url: undefined, channelId, name: 'Reports' })).token;
});
after(() => world.close());

/** Percent-encodes every character. */
const encoded = (text: string): string =>
  [...text].map((letter) => `%${letter.charCodeAt(0).toString(16)}`).join('');

const spellings: Record<string, (token: string) => string> = {
  'the path itself': (token) => `/hooks/${token}`,
  'a trailing slash': (token) => `/hooks/${token}/`,
  'a suffix': (token) => `/hooks/${token}/slack`,
  'an encoded suffix': (token) => `/${encoded(`hooks/${token}/github`)}`,
  'an unknown suffix': (token) => `/hooks/${token}/discord/${token}`,
  'followed by a query': (token) => `/hooks/${token}?${token}`,
  'followed by a fragment': (token) => `/hooks/${token}#${token}`,
  'an encoded letter': (token) => `/hooks/%68${token.slice(1)}`,
  'an encoded token': (token) => `/hooks/${encoded(token)}`,
  'an encoded path': (token) => `/${encoded(`hooks/${token}`)}`,
  'an encoded prefix': (token) => `/${encoded('hooks')}/${encoded(token)}`,
  'an encoded slash': (token) => `/hooks%2F${token}`,
  'a path encoded twice': (token) => `/${encoded(encoded(`hooks/${token}`))}`,
  'a path encoded too many times': (token) => {
    let path = `hooks/${token}`;
    for (let time = 0; time < 4; time++) path = path.replaceAll('%', '%25').replace(/[ho]/g, encoded);
    return `/${path}`;
  },
  'double slashes': (token) => `//hooks//${token}`,
  dots: (token) => `/x/../hooks/./${token}`,
  'a backslash': (token) => `/hooks\\${token}`,
  'upper case': (token) => `/HOOKS/${token.toUpperCase()}`,
  'an upper-case prefix': (token) => `/Hooks/${token}`,
  'preceded by another path': (token) => `/api/v1/hooks/${token}`,
  'the token alone': (token) => `/${token}`,
  'the token after other text': (token) => `/api/v1/channels/x${token}`,
  'a broken encoding': (token) => `/hooks/${token}%zz`,
  'preceded by a broken encoding': (token) => `/%zz/${encoded('hooks')}/${encoded(token)}`,
  'a whole URL': (token) => `http://chat.example.com/hooks/${token}`,
  'a whole URL with a password': (token) => `http://user:${token}@chat.example.com/healthz`,
  'a whole URL in upper case': (token) => `HTTP://chat.example.com/${encoded(`hooks/${token}`)}`,
};

for (const [what, spell] of Object.entries(spellings)) {
  test(`${what}: the token is in no log and no metric`, async () => {
    for (const method of ['POST', 'GET', 'HEAD', 'PUT', 'OPTIONS']) {
      log.length = 0;
      const client = new RawClient(world);
      const length = method === 'POST' ? 'Content-Length: 0\r\n' : '';
      client.send(`${method} ${spell(token)} HTTP/1.1\r\nHost: x\r\n${length}Connection: close\r\n\r\n`);
      await client.hungUp(5_000);
      await until(() => log.length > 0);
      const lines = log.join('').toLowerCase();
      for (const secret of [token, token.slice(9, 40), encoded(token).slice(30, 90)])
        assert.ok(!lines.includes(secret.toLowerCase()), lines);
      // Decoding the log does not reveal the token either.
      const path = JSON.parse(log[0] as string).path as string;
      let text = path;
      for (let time = 0; time < 10; time++)
        text = text.replace(/%([\da-f]{2})/gi, (_, digits) =>
          String.fromCharCode(Number.parseInt(digits, 16)),
        );
      assert.ok(!text.toLowerCase().includes(token.slice(9).toLowerCase()), lines);
    }
  });
}

const elsewhere: Record<string, (token: string) => string> = {
  'the token alone': (token) => `/${token}`,
  'a page': (token) => `/welcome/${token}`,
  'an operation': (token) => `/api/v1/channels/${token}/messages`,
  'the end of a segment': (token) => `/authorize/x${token}`,
  'an encoded token': (token) => `/welcome/${encoded(token)}`,
  'an encoded letter': (token) => `/welcome/${encoded(token.slice(0, 1))}${token.slice(1)}`,
  'a token encoded twice': (token) => `/welcome/${encoded(encoded(token))}`,
  'upper case': (token) => `/WELCOME/${token.toUpperCase()}`,
  'an underscore cut off': (token) => `/welcome/${token.replace(/plv_/, 'plv')}`,
  'an encoded fragment': (token) => `/welcome%23${token}`,
  'a broken encoding': (token) => `/%zz/${token}`,
  'a whole URL': (token) => `http://user:${token}@chat.example.com/welcome/${token}`,
};

for (const [kind, prefix] of Object.entries(prefixes)) {
  test(`no log contains a ${kind} token from a path`, async () => {
    for (const [what, spell] of Object.entries(elsewhere)) {
      const secret = newToken(prefix, randomBytes);
      const tail = secret.slice(prefix.length);
      log.length = 0;
      const client = new RawClient(world);
      client.send(`GET ${spell(secret)} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
      await client.hungUp(5_000);
      await until(() => log.length > 0);
      const lines = log.join('').toLowerCase();
      for (const part of [tail, encoded(tail), encoded(encoded(tail))])
        assert.ok(!lines.includes(part.toLowerCase()), `${what}: ${lines}`);
    }
  });
}

test('the metrics do not contain the token in any encoding', async () => {
  const metrics = await (await fetch(`${world.url}/metrics`)).text();
  assert.ok(!metrics.toLowerCase().includes(token.slice(9, 40).toLowerCase()));
  assert.ok(!metrics.includes(encoded(token).slice(30, 90)));
});

test('ordinary paths are logged unchanged', async () => {
  for (const path of [
    '/healthz',
    '/api/v1/webhooks/x',
    '/api/v1/servers/a%20b',
    '/books/x',
    '/hookshot',
    '/welcome',
    '/code_of_conduct',
  ]) {
    log.length = 0;
    await fetch(`${world.url}${path}?q=1`);
    await until(() => log.length > 0);
    assert.equal(JSON.parse(log[0] as string).path, path);
  }
});
