import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { proxyNames, skipProxy, startProxy } from '../support/proxies.ts';
import { samples, samplesUnder } from '../support/proxyPage.ts';
import { Scene } from '../support/scene.ts';
import { freePort } from '../support/valkeyServer.ts';
import { World } from '../support/world.ts';

// Each sample configuration, in deploy/ and in the documentation, accepts the largest file and passes on the port.

const BYTES = 25e6;

let world: World;
let scene: Scene;
before(async () => {
  world = await World.open({ limits: { '*': 0 } });
  scene = await Scene.open(world);
});
after(() => world.close());

/** Uploads the largest file, and reads the server's address from its description. */
async function assertServed(url: string, key: string): Promise<void> {
  const form = new FormData();
  form.append('file', new Blob([new Uint8Array(BYTES).fill(97)]), 'large.txt');
  const init = { method: 'POST', body: form, headers: { authorization: `Bearer ${key}` } };
  const answer = await fetch(`${url}/api/v1/attachments`, init);
  assert.equal(answer.status, 200, await answer.text());
  const { servers } = (await (await fetch(`${url}/openapi.json`)).json()) as { servers: { url: string }[] };
  assert.equal(servers[0]?.url, url);
}

for (const name of proxyNames) {
  for (const [place, sample] of [
    ['deploy/', undefined],
    ['the page', samples[name]],
  ] as const) {
    if (place === 'the page' && !sample) continue;
    test(`${name}, configured as in ${place}`, { skip: skipProxy(name) }, async () => {
      const proxy = await startProxy(name, [world, world], sample && ((port) => sample(world.url, port)));
      try {
        await assertServed(proxy.url, scene.admin.key);
      } finally {
        await proxy.close();
      }
    });
  }

  test(`${name}, configured as in the page for a path`, { skip: skipProxy(name) }, async () => {
    const port = await freePort();
    const at = await World.open({ address: `http://127.0.0.1:${port}/chat`, limits: { '*': 0 } });
    try {
      const sample = (to: number) => samplesUnder[name](at.url, to);
      const proxy = await startProxy(name, [at], sample, { port, under: '/chat' });
      try {
        const url = `${proxy.url}/chat`;
        await assertServed(url, (await Scene.open(at)).admin.key);
        const home = await fetch(url, { headers: { accept: 'text/html' } });
        assert.deepEqual([home.status, home.url], [200, `${url}/`]);
        const metadata = await fetch(`${proxy.url}/.well-known/oauth-authorization-server/chat`);
        assert.equal(((await metadata.json()) as { issuer: string }).issuer, url);
        assert.ok([403, 404].includes((await fetch(`${url}/metrics`)).status));
        for (const other of ['/', '/chatter', '/api/v1/servers', '/metrics'])
          assert.equal((await fetch(proxy.url + other)).status, 418, other);
      } finally {
        await proxy.close();
      }
    } finally {
      await at.close();
    }
  });
}
