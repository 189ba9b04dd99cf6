import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ProxyName } from './proxies.ts';

// The sample configurations in docs/operate/proxy.md, for a proxy on a port of 127.0.0.1 without TLS.

const page = readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'operate', 'proxy.md'), 'utf8');
const [ofHost = '', ofPath = ''] = page.split('\n## Under a path\n');

type Replaced = [from: string | RegExp, to: string];

/** The fenced block with this text, with Palaver at `url` and these replacements, each of which must apply. */
function blockIn(part: string, text: string, url: string, ...replaced: Replaced[]): string {
  const blocks = [...part.matchAll(/^```\w*\n([\s\S]*?)^```/gm)].map(([, code]) => code as string);
  const found = blocks.find((code) => code.includes(text));
  assert.ok(found, text);
  return [...replaced, [/127\.0\.0\.1:8080/g, new URL(url).host] as const].reduce((config, [from, to]) => {
    assert.notEqual(config.replace(from, to), config, `the page lacks ${from}`);
    return config.replace(from, to);
  }, found);
}

type Sample = (url: string, port: number) => string;

/** The samples for Palaver on its own host. */
export const samples: Partial<Record<ProxyName, Sample>> = {
  nginx: (url, port) =>
    blockIn(ofHost, 'proxy_pass', url, ['listen 443 ssl', `listen 127.0.0.1:${port}`], [/^ *ssl_.*\n/gm, '']),
  Caddy: (url, port) =>
    blockIn(ofHost, 'reverse_proxy', url, [
      'chat.example.com',
      `{\n  admin off\n}\nhttp://127.0.0.1:${port}, http://localhost:${port}`,
    ]),
};

/** The samples for Palaver under the path `/chat` of a host. All other paths belong to another site. */
export const samplesUnder: Record<ProxyName, Sample> = {
  nginx: (url, port) =>
    `server {\nlisten 127.0.0.1:${port};\n${blockIn(ofPath, 'proxy_pass', url)}\nlocation / { return 418; }\n}`,
  Caddy: (url, port) =>
    `{\n  admin off\n}\nhttp://127.0.0.1:${port}, http://localhost:${port} {\n${blockIn(ofPath, 'reverse_proxy', url)}\nrespond 418\n}`,
  haproxy: (url, port) =>
    `defaults\n  mode http\n  timeout connect 1s\n  timeout client 60s\n  timeout server 60s\n${blockIn(
      ofPath,
      'use_backend',
      url,
      [/bind :443 ssl crt .*/, `bind 127.0.0.1:${port}`],
      ['frontend web\n', 'frontend web\n  default_backend other\n'],
    )}\nbackend other\n  http-request return status 418\n`,
};
