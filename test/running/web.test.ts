// @run sqlite: tests files, which are the same on every engine
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { runInNewContext } from 'node:vm';
import { assetsOf } from '../support/site.ts';
import { type Json, World } from '../support/world.ts';

// The web client over HTTP: its shell at every URL that people see, and its files.

let world: World;
before(async () => {
  world = await World.open();
});
after(() => world.close());

const browser = { accept: 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.8' };
const get = (path: string, headers: Record<string, string> = browser, method = 'GET') =>
  fetch(world.url + path, { method, headers, redirect: 'manual' });
const codeOf = async (answer: Response) => ((await answer.json()) as Json).error.code;
const pathOf = async (pattern: RegExp) =>
  assetsOf(await (await get('/')).text()).find((path) => pattern.test(path)) as string;

const open = [
  '/',
  '/s/server_1',
  '/s/server_1/c/channel_1',
  '/s/server_1/c/channel_1/m/message_1',
  '/s/server_1/c/channel_1?thread=thread_1',
  '/s/server_1/settings',
  '/s/server_1/settings/roles',
  '/direct',
  '/me',
  '/me/sessions',
  '/platform',
  '/platform/users',
  '/sign-in',
  '/sign-up',
  '/invite/invite_1',
  '/device',
];
const secret = ['/welcome', '/reset', '/authorize?client_id=1&state=2', '/sign-in/keycloak?code=1&state=2'];

test('every URL of the client returns the same shell, with headers that forbid other sources', async () => {
  const shell = await (await get('/')).text();
  assert.match(shell, /<script type="module" blocking="render" src="\/web\/main-\w+\.js">/);
  assert.doesNotMatch(shell, /<script(?![^>]*\bsrc=)|<style|\sstyle=|\son\w+=|<base\b/i);
  for (const path of [...open, ...secret]) {
    const answer = await get(path);
    assert.deepEqual([answer.status, await answer.text()], [200, shell], path);
    const { headers } = answer;
    const policy = headers.get('content-security-policy') ?? '';
    for (const directive of [
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "connect-src 'self'",
      "img-src 'self' blob: data:",
      "media-src 'self' blob:",
      'frame-src blob:',
      "worker-src 'self'",
      "manifest-src 'self'",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
      "require-trusted-types-for 'script'",
    ])
      assert.ok(policy.split('; ').includes(directive), `${path}: ${directive}`);
    assert.equal(headers.get('cross-origin-opener-policy'), 'same-origin');
    assert.equal(headers.get('referrer-policy'), secret.includes(path) ? 'no-referrer' : 'same-origin', path);
    assert.match(headers.get('permissions-policy') ?? '', /\bcamera=\(\)/);
    assert.equal(headers.get('cache-control'), 'no-cache');
  }
});

test('an unknown URL is a page for browsers, and an error for API clients', async () => {
  const shell = await (await get('/')).text();
  for (const path of ['/nothing', '/nothing/here?at=all', '/s', '/me/a/b', '/apiary']) {
    const page = await get(path);
    assert.deepEqual([page.status, await page.text()], [404, shell], path);
    assert.equal(page.headers.get('content-type'), 'text/html; charset=utf-8');
    assert.match(page.headers.get('content-security-policy') ?? '', /default-src 'none'/);
    assert.deepEqual(
      [page.headers.get('cache-control'), page.headers.get('vary')],
      ['no-store', 'accept, accept-language, cookie, sec-fetch-site'],
    );
    for (const accept of ['*/*', 'application/json', 'application/json, text/html;q=0.9'])
      assert.equal(await codeOf(await get(path, { accept })), 'NOT_FOUND', `${path} ${accept}`);
    assert.equal(await codeOf(await get(path, browser, 'POST')), 'NOT_FOUND', path);
  }
  for (const path of ['/api', '/api/v2/servers', '/api/people/nothing'])
    assert.equal(await codeOf(await get(path)), 'NOT_FOUND', path);
  assert.equal(await codeOf(await get('/api/v1/nothing')), 'UNAUTHORIZED');
});

test('the shell has an ETag, and HEAD returns the same headers as GET', async () => {
  const first = await get('/me');
  const tag = first.headers.get('etag') as string;
  const second = await get('/me', { ...browser, 'if-none-match': tag });
  assert.deepEqual([second.status, await second.text(), second.headers.get('etag')], [304, '', tag]);
  const head = await get('/me', browser, 'HEAD');
  assert.deepEqual([head.status, await head.text()], [200, '']);
  for (const name of ['etag', 'content-length', 'content-type', 'content-encoding'])
    assert.equal(head.headers.get(name), first.headers.get(name), name);
});

test('files are precompressed and immutable', async () => {
  // The entry script is a single line, which compression would not shorten.
  const entry = await get(await pathOf(/\/main-/), { 'accept-encoding': 'br' });
  assert.equal(entry.headers.get('content-encoding'), null);
  const path = await pathOf(/\/chunk-/);
  const plain = Buffer.from(await (await get(path)).arrayBuffer());
  // fetch decompresses the body, but Content-Length is the compressed length.
  const lengths = new Map<string, number>();
  for (const encoding of ['br', 'gzip', 'identity']) {
    const answer = await get(path, { 'accept-encoding': encoding });
    assert.equal(answer.status, 200);
    assert.equal(answer.headers.get('content-encoding'), encoding === 'identity' ? null : encoding);
    assert.equal(answer.headers.get('cache-control'), 'public, max-age=31536000, immutable');
    assert.match(answer.headers.get('vary') ?? '', /accept-encoding/);
    assert.match(answer.headers.get('content-type') ?? '', /^text\/javascript/);
    assert.ok(Buffer.from(await answer.arrayBuffer()).equals(plain), encoding);
    lengths.set(encoding, Number(answer.headers.get('content-length')));
  }
  const { br = 0, gzip = 0, identity = 0 } = Object.fromEntries(lengths);
  assert.ok(
    br > 0 && br < gzip && gzip < identity && identity === plain.length,
    JSON.stringify([...lengths]),
  );
  const picture = await get(await pathOf(/apple-touch/), { 'accept-encoding': 'br' });
  assert.deepEqual(
    [picture.headers.get('content-type'), picture.headers.get('content-encoding')],
    ['image/png', null],
  );
});

test('missing files get the usual errors', async () => {
  for (const path of [
    '/web/main-none.js',
    '/web/',
    '/web/%2e%2e%2findex.html',
    '/web/..%2fmanifest.json',
    '/web/constructor',
    '/s',
    '/s/server_1/c',
    '/s/server_1/nothing',
    '/me/a/b',
    '/manifest.json',
    '/index.html',
  ]) {
    const answer = await get(path, { accept: '*/*' });
    assert.equal(answer.status, 404, path);
    assert.equal(((await answer.json()) as Json).error.code, 'NOT_FOUND', path);
  }
  assert.equal((await get('/me', browser, 'POST')).status, 404);
});

test('the service worker and the web app manifest are revalidated each time', async () => {
  for (const [path, type] of [
    ['/serviceWorker.js', 'text/javascript; charset=utf-8'],
    ['/manifest.webmanifest', 'application/manifest+json'],
    ['/licences.txt', 'text/plain; charset=utf-8'],
  ] as const) {
    const { status, headers } = await get(path);
    assert.deepEqual(
      [status, headers.get('content-type'), headers.get('cache-control')],
      [200, type, 'no-cache'],
    );
  }
  const { icons } = (await (await get('/manifest.webmanifest')).json()) as Json;
  assert.equal(icons.length, 3);
  for (const { src } of icons) assert.equal((await get(`/${src}`)).status, 200, src);
});

test('the service worker enables navigation preload, but not in Firefox, which then opens no page offline', async () => {
  const source = await (await get('/serviceWorker.js')).text();
  for (const [userAgent, expected] of [
    ['Mozilla/5.0 (X11; Linux x86_64; rv:153.0) Gecko/20100101 Firefox/153.0', 'disable'],
    [
      'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36',
      'enable',
    ],
  ] as const) {
    const called: string[] = [];
    let activate: ((event: unknown) => void) | undefined;
    const self = {
      addEventListener: (type: string, listener: (event: unknown) => void) => {
        if (type === 'activate') activate = listener;
      },
      registration: {
        scope: 'https://chat.example.com/',
        navigationPreload: {
          enable: async () => called.push('enable'),
          disable: async () => called.push('disable'),
        },
      },
      clients: { claim: async () => undefined },
    };
    const caches = { open: async () => ({ keys: async () => [] }) };
    runInNewContext(source, { self, caches, navigator: { userAgent }, URL });
    let done: unknown;
    activate?.({ waitUntil: (work: unknown) => (done = work) });
    await done;
    assert.deepEqual(called, [expected], userAgent);
  }
});
