import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { type ProxyName, proxyNames, skipProxy, startProxy } from '../support/proxies.ts';
import { Scene } from '../support/scene.ts';
import { World } from '../support/world.ts';

// Each sample configuration, in deploy/ and in the documentation, accepts the largest file and passes on the port.

const BYTES = 25e6;
const page = readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'operate', 'proxy.md'), 'utf8');

let world: World;
let scene: Scene;
before(async () => {
  world = await World.open({ limits: { '*': 0 } });
  scene = await Scene.open(world);
});
after(() => world.close());

/** The fenced block of the page with this text, on a port of 127.0.0.1 and without TLS. */
function sampleOf(text: string, ...replaced: [from: string | RegExp, to: string][]): string {
  const block = [...page.matchAll(/^```\w*\n([\s\S]*?)^```/gm)].map(([, code]) => code as string);
  const sample = block.find((code) => code.includes(text));
  assert.ok(sample, text);
  const all = [...replaced, ['127.0.0.1:8080', new URL(world.url).host] as const];
  return all.reduce((config, [from, to]) => {
    assert.notEqual(config.replace(from, to), config, `the page lacks ${from}`);
    return config.replace(from, to);
  }, sample);
}

const ofThePage: Partial<Record<ProxyName, (port: number) => string>> = {
  nginx: (port) =>
    sampleOf('proxy_pass', ['listen 443 ssl', `listen 127.0.0.1:${port}`], [/^ *ssl_.*\n/gm, '']),
  Caddy: (port) =>
    sampleOf('reverse_proxy', ['chat.example.com', `{\n  admin off\n}\nhttp://127.0.0.1:${port}`]),
};

for (const name of proxyNames)
  for (const [place, sample] of [
    ['deploy/', undefined],
    ['the page', ofThePage[name]],
  ] as const) {
    if (place === 'the page' && !sample) continue;
    test(`${name}, configured as in ${place}`, { skip: skipProxy(name) }, async () => {
      const proxy = await startProxy(name, [world, world], sample);
      try {
        const form = new FormData();
        form.append('file', new Blob([new Uint8Array(BYTES).fill(97)]), 'large.txt');
        const headers = { authorization: `Bearer ${scene.admin.key}` };
        const init = { method: 'POST', body: form, headers };
        const answer = await fetch(`${proxy.url}/api/v1/attachments`, init);
        assert.equal(answer.status, 200, await answer.text());
        const { servers } = (await (await fetch(`${proxy.url}/openapi.json`)).json()) as {
          servers: { url: string }[];
        };
        assert.equal(new URL(servers[0]?.url as string).host, new URL(proxy.url).host);
      } finally {
        await proxy.close();
      }
    });
  }
