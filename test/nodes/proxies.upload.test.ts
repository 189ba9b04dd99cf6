// @run waits: streams for a minute
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Browser, PASSWORD } from '../support/account.ts';
import { EventStream } from '../support/eventStream.ts';
import { until } from '../support/process.ts';
import { type ProxyServer, proxyNames, skipProxy, startProxy } from '../support/proxies.ts';
import { samples, samplesUnder } from '../support/proxyPage.ts';
import { Scene } from '../support/scene.ts';
import { freePort } from '../support/valkeyServer.ts';
import type { Json } from '../support/world.ts';
import { World } from '../support/world.ts';

// Each sample configuration, in deploy/ and in the documentation, accepts the largest file, forwards the port in the
// Host header, and lets people sign in, follow events for over a minute, and download part of a file.

const BYTES = 25e6;
/** Exceeds the usual idle timeout of proxies. */
const STREAMED_MS = 61_000;

let world: World;
before(async () => {
  world = await World.open({ limits: { '*': 0 } });
});
after(() => world.close());

const okOf = async (answer: Response): Promise<Json> => {
  const text = await answer.text();
  assert.equal(answer.status, 200, text);
  return JSON.parse(text);
};

/** Signs in as a new member of the server, like a page at this URL. Returns the headers for further requests. */
async function signIn(url: string, within: World, { server }: Scene): Promise<Record<string, string>> {
  const user = await within.user();
  await within.member(server, user);
  await Browser.claimed(within, user);
  const headers = { 'palaver-server': 'none', origin: new URL(url).origin, 'sec-fetch-site': 'same-origin' };
  const answer = await fetch(`${url}/api/people/sign-in`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ name: user.username, password: PASSWORD }),
  });
  const cookie = answer.headers.getSetCookie().map((line) => line.split(';', 1)[0]);
  await okOf(answer);
  return { ...headers, cookie: cookie.join('; ') };
}

/** A scene at a proxy's URL, and the headers of a person who is signed in there. */
interface Served {
  url: string;
  scene: Scene;
  person: Record<string, string>;
}

/** Uploads the largest file and returns its id. */
async function uploadLargest(url: string, headers: Record<string, string>): Promise<string> {
  const form = new FormData();
  form.append('file', new Blob([new Uint8Array(BYTES).fill(97)]), 'large.txt');
  const upload = await fetch(`${url}/api/v1/attachments`, { method: 'POST', body: form, headers });
  return (await okOf(upload)).data.id;
}

let last = Promise.resolve();

/**
 * Runs these tasks one at a time. This process contains the nodes, and would otherwise be too busy to answer the
 * proxies' health checks.
 */
function inTurn<T>(run: () => Promise<T>): Promise<T> {
  const result = last.then(run);
  last = result.then(
    () => {},
    () => {},
  );
  return result;
}

/** Uploads the largest file, reads the server's address from its description, and signs in. */
async function assertServed(url: string, within: World): Promise<Served> {
  const scene = await Scene.open(within);
  const headers = { authorization: `Bearer ${scene.admin.key}` };
  const id = await uploadLargest(url, headers);
  const { servers } = await okOf(await fetch(`${url}/openapi.json`));
  assert.equal(servers[0]?.url, url);

  const range = { ...headers, range: 'bytes=24999000-' };
  const part = await fetch(`${url}/api/v1/attachments/${id}/content`, { headers: range });
  assert.equal(part.status, 206);
  assert.equal(part.headers.get('content-range'), `bytes 24999000-24999999/${BYTES}`);
  assert.equal(await part.text(), 'a'.repeat(1000));

  return { url, scene, person: await signIn(url, within, scene) };
}

/** Follows a stream that has no events for a minute. */
async function assertStreams({ url, scene, person }: Served): Promise<void> {
  const stream = await EventStream.open({ url }, '', {}, person, '/api/people/events');
  try {
    assert.equal(stream.status, 200);
    await until(() => stream.blocks.length > 0);
    const from = performance.now();
    await until(() => {
      assert.ok(!stream.isOver, `it ended after ${performance.now() - from} ms`);
      return performance.now() - from > STREAMED_MS;
    }, 2 * STREAMED_MS);
    const content = `Through ${url}`;
    const sent = await scene.message({ content });
    await stream.event(({ type, data }) => type === 'message.created' && data.id === sent.id);
  } finally {
    stream.close();
  }
}

/** Asserts that the path of a proxy serves a node's pages, and that all other paths belong to the other site. */
async function assertOnlyPath(proxy: ProxyServer): Promise<void> {
  const url = `${proxy.url}/chat`;
  const home = await fetch(url, { headers: { accept: 'text/html' } });
  assert.deepEqual([home.status, home.url], [200, `${url}/`]);
  const metadata = await fetch(`${proxy.url}/.well-known/oauth-authorization-server/chat`);
  assert.equal(((await metadata.json()) as { issuer: string }).issuer, url);
  assert.ok([403, 404].includes((await fetch(`${url}/metrics`)).status));
  for (const other of ['/', '/chatter', '/api/v1/servers', '/metrics'])
    assert.equal((await fetch(proxy.url + other)).status, 418, other);
}

describe('a sample configuration', { concurrency: true }, () => {
  for (const name of proxyNames) {
    for (const [place, sample] of [
      ['deploy/', undefined],
      ['the page', samples[name]],
    ] as const) {
      if (place === 'the page' && !sample) continue;
      test(`${name} as in ${place} passes on all requests`, { skip: skipProxy(name) }, async () => {
        await using opened = new AsyncDisposableStack();
        const served = await inTurn(async () => {
          const proxy = await startProxy(name, [world, world], sample && ((port) => sample(world.url, port)));
          opened.defer(() => proxy.close());
          return assertServed(proxy.url, world);
        });
        await assertStreams(served);
      });
    }

    test(`${name} as in the page for a path passes on all requests`, { skip: skipProxy(name) }, async () => {
      await using opened = new AsyncDisposableStack();
      const served = await inTurn(async () => {
        const port = await freePort();
        const at = await World.open({ address: `http://127.0.0.1:${port}/chat`, limits: { '*': 0 } });
        opened.defer(() => at.close());
        const sample = (to: number) => samplesUnder[name](at.url, to);
        const proxy = await startProxy(name, [at], sample, { port, under: '/chat' });
        opened.defer(() => proxy.close());
        await assertOnlyPath(proxy);
        return assertServed(`${proxy.url}/chat`, at);
      });
      await assertStreams(served);
    });
  }
});
