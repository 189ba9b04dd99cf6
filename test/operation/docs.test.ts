import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, test } from 'node:test';
import { call, type Running, Stage } from '../support/process.ts';

const stage = new Stage();
let server: Running;
before(async () => {
  server = await stage.start(stage.folder());
});
after(() => stage.close());

/** The page as a browser gets it, and the address after redirects. */
async function page(): Promise<{ html: string; headers: Headers; address: string }> {
  const response = await fetch(`${server.url}/docs`);
  assert.equal(response.status, 200);
  assert.match(response.headers.get('content-type') ?? '', /^text\/html; charset=utf-8/);
  return { html: await response.text(), headers: response.headers, address: response.url };
}

/** The addresses that a browser loads for the page. */
const assetsOf = (html: string): string[] =>
  [
    ...html.matchAll(
      /<(?:script|img|link|iframe|source|video|audio|object|embed)\b[^>]*?\b(?:src|href|data)="([^"]+)"/gi,
    ),
  ].map(([, address]) => address as string);

/** The directives of a Content-Security-Policy. */
const directivesOf = (policy: string): Map<string, string[]> =>
  new Map(
    policy
      .split(';')
      .map((directive) => directive.trim().split(/\s+/))
      .map(([name, ...sources]) => [name as string, sources]),
  );

test('the page and all its assets come from the server itself', async () => {
  const { html, address } = await page();
  const assets = assetsOf(html);
  assert.ok(assets.length > 0);
  for (const asset of assets) {
    const url = new URL(asset, address);
    assert.equal(url.origin, server.url);
    const response = await fetch(url);
    assert.equal(response.status, 200);
    assert.equal(response.headers.get('x-content-type-options'), 'nosniff');
    assert.match(response.headers.get('content-type') ?? '', /^(application|text)\/javascript/);
    assert.ok((await response.text()).length > 1_000);
  }
  assert.doesNotMatch(html, /https?:\/\//, 'the page names no other host');
  assert.doesNotMatch(html, /@import|url\(/);
});

test("the page's OpenAPI document is served", async () => {
  const { html, address } = await page();
  const [, path] = /"url":\s*"([^"]+)"/.exec(html) as unknown as [string, string];
  const { status, body } = await call(server, 'GET', new URL(path, address).pathname);
  assert.equal(status, 200);
  assert.match(body.openapi, /^3\.1\./);
  assert.ok(Object.keys(body.paths).length > 30);
});

test("the page's policy lets the browser load nothing from elsewhere", async () => {
  const { html, headers } = await page();
  const policy = directivesOf(headers.get('content-security-policy') ?? '');
  assert.deepEqual(policy.get('default-src'), ["'none'"]);
  for (const name of ['script-src', 'style-src', 'img-src', 'font-src', 'connect-src']) {
    const sources = policy.get(name) ?? [];
    assert.ok(sources.includes("'self'"), `${name} ${sources}`);
    for (const source of sources)
      assert.match(source, /^('self'|'unsafe-inline'|'sha256-[\w+/=]+'|data:|blob:)$/, name);
  }
  const scripts = policy.get('script-src') as string[];
  assert.ok(!scripts.includes("'unsafe-inline'") && !scripts.includes("'unsafe-eval'"));
  assert.deepEqual(policy.get('base-uri'), ["'none'"]);
  assert.deepEqual(policy.get('form-action'), ["'none'"]);
  assert.deepEqual(policy.get('frame-ancestors'), ["'none'"]);
  const inline = [...html.matchAll(/<script(?![^>]*\bsrc=)[^>]*>([\s\S]*?)<\/script>/g)].map(
    ([, code]) => code as string,
  );
  assert.ok(inline.length > 0);
  for (const code of inline) {
    const hash = createHash('sha256').update(code).digest('base64');
    assert.ok(scripts.includes(`'sha256-${hash}'`), `the script with the hash ${hash} would not run`);
  }
});

test('the policy of API answers lets a browser load and show nothing', async () => {
  for (const path of ['/api/v1/servers', '/healthz', '/nowhere']) {
    const { headers } = await call(server, 'GET', path, { key: server.key });
    assert.equal(headers.get('x-content-type-options'), 'nosniff');
    assert.match(headers.get('content-type') ?? '', /^application\/json/);
  }
});

test('the document and the assets are compressed, and are not sent again to a browser that has them', async () => {
  for (const path of ['/openapi.json', '/docs/', '/docs/js/scalar.js']) {
    const get = (headers: Record<string, string>) => call(server, 'GET', path, { headers });
    const plain = await get({ 'accept-encoding': 'identity' });
    assert.equal(plain.headers.get('content-encoding'), null);
    for (const [accepted, encoding] of [
      ['br', 'br'],
      ['gzip, deflate, br', 'br'],
      ['gzip;q=0.5', 'gzip'],
      ['br;q=0, gzip', 'gzip'],
      ['br;q=0.0', null],
      ['zstd', null],
    ] as const) {
      const given = await get({ 'accept-encoding': accepted });
      assert.equal(given.status, 200);
      assert.equal(given.headers.get('content-encoding'), encoding, `${path} ${accepted}`);
      assert.equal(given.headers.get('vary'), 'accept-encoding');
      assert.equal(given.text, plain.text);
      const etag = given.headers.get('etag') as string;
      for (const known of [etag, `W/${etag}`, `"other", ${etag}`]) {
        const again = await get({ 'accept-encoding': accepted, 'if-none-match': known });
        assert.equal(again.status, 304);
        assert.equal(again.text, '');
        assert.equal(again.headers.get('etag'), etag);
      }
      assert.equal((await get({ 'accept-encoding': accepted, 'if-none-match': '"other"' })).status, 200);
    }
  }
});
