// @run sqlite: tests pages, which are the same on every engine
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { after, before, test } from 'node:test';
import { call, type Running, Stage } from '../support/process.ts';
import { assetsOf, linksOf, pagesOf } from '../support/site.ts';

/**
 * The maximum compressed size of a page, with everything that a browser loads for it and its search. It is well
 * below the goal of 400 KB.
 */
const MAX_LOAD = 176 * 1024;

const root = join(import.meta.dirname, '../..');
const browser = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };
const stage = new Stage();
let server: Running;
let pages: Map<string, string>;
before(async () => {
  server = await stage.start(stage.folder());
  pages = await pagesOf(server);
});
after(() => stage.close());

const get = (path: string, headers: Record<string, string> = {}) => call(server, 'GET', path, { headers });

/** The directives of a Content-Security-Policy. */
const directivesOf = (policy: string): Map<string, string[]> =>
  new Map(
    policy
      .split(';')
      .map((directive) => directive.trim().split(/\s+/))
      .map(([name, ...sources]) => [name as string, sources]),
  );

test('there is a start page, and API clients get JSON at / with links to everything', async () => {
  const page = await get('/docs/start', browser);
  assert.match(page.headers.get('content-type') ?? '', /^text\/html; charset=utf-8/);
  assert.match(page.text, /<h1>Palaver<\/h1>/);
  for (const accept of [
    '*/*',
    'application/json',
    'application/json, text/html;q=0.5',
    'text/html;q=0, */*',
  ]) {
    const { body, headers } = await get('/', { accept });
    const { version } = JSON.parse(readFileSync(join(root, 'server/package.json'), 'utf8'));
    assert.equal(body.ok, true);
    assert.deepEqual([body.data.name, body.data.version], ['Palaver', version]);
    assert.match(headers.get('vary') ?? '', /accept/);
    for (const name of ['openapi', 'docs', 'health', 'ready'])
      assert.equal((await get(body.data[name])).status, 200, name);
  }
  const head = await fetch(`${server.url}/docs/start`, { method: 'HEAD', headers: browser });
  assert.equal(head.status, 200);
});

test('every guide file and every group of operations has a page', async () => {
  const files = globSync('docs/{guides,api,operate}/*.md', { cwd: root });
  assert.ok(files.length > 15);
  for (const file of files) assert.ok(pages.has(`/docs/guides/${basename(file, '.md')}`), file);
  const names = [...pages.keys()].filter((path) => path.startsWith('/docs/guides/'));
  assert.equal(new Set(names).size, names.length);
  const { body } = await get('/openapi.json');
  const operations = Object.values(body.paths as object).flatMap((item) => Object.values(item as object));
  const all = [...pages.values()].join('\n');
  for (const { operationId } of operations)
    assert.ok(all.includes(`<article class="operation" id="${operationId}">`), operationId);
  for (const record of Object.keys(body.components.schemas))
    assert.ok(pages.get('/docs/reference/records')?.includes(` id="${record}"`), record);
});

test('every link leads to an existing page and heading', async () => {
  let links = 0;
  for (const [path, page] of pages) {
    for (const link of linksOf(page)) {
      const { origin, pathname, hash } = new URL(link, server.url + path);
      if (origin !== server.url) continue;
      links++;
      if (!pages.has(pathname)) assert.equal((await get(pathname)).status, 200, `${path}: ${link}`);
      else if (hash)
        assert.ok(
          pages.get(pathname)?.includes(` id="${decodeURIComponent(hash.slice(1))}"`),
          `${path}: ${link}`,
        );
    }
  }
  assert.ok(links > 1_000, `${links} links`);
});

test('links between files in the repository are links between pages', () => {
  for (const [path, page] of pages) {
    for (const link of linksOf(page)) assert.doesNotMatch(link, /\.md\b|^\.|^[a-z]+\//, path);
    assert.ok(!page.includes(server.key) && !/sk_live_plv_\w{8}/.test(page), `${path} has a key`);
  }
});

test("the pages' policy lets a browser load only files from this server", async () => {
  for (const path of [
    '/docs/start',
    '/docs/',
    '/docs/reference/messages',
    '/docs/guides/errors',
    '/docs/nothing',
  ]) {
    const { text, headers } = await get(path, browser);
    const policy = directivesOf(headers.get('content-security-policy') ?? '');
    assert.deepEqual(policy.get('default-src'), ["'none'"]);
    for (const name of ['script-src', 'style-src', 'img-src', 'connect-src'])
      assert.deepEqual(policy.get(name), ["'self'"], name);
    for (const name of ['base-uri', 'form-action', 'frame-ancestors', 'trusted-types'])
      assert.deepEqual(policy.get(name), ["'none'"], name);
    assert.deepEqual(policy.get('require-trusted-types-for'), ["'script'"]);
    assert.deepEqual(
      [...policy.keys()].filter((name) => name.startsWith('font')),
      [],
    );
    assert.doesNotMatch(text, /<script(?![^>]*\bsrc=)|<style|\sstyle=|\son\w+=|<base\b/i);
    for (const asset of assetsOf(text)) assert.match(asset, /^\/(?!\/)/);
  }
});

test('a page, including everything it loads, is small', async () => {
  const sizes = new Map<string, number>();
  const sizeOf = async (path: string): Promise<number> => {
    const known = sizes.get(path);
    if (known !== undefined) return known;
    // fetch decompresses responses, so the bytes on the wire need a raw request.
    const { headers } = await fetch(server.url + path, {
      method: 'HEAD',
      headers: { 'accept-encoding': 'br', accept: 'text/html' },
    });
    const size = Number(headers.get('content-length'));
    assert.ok(size > 0, path);
    sizes.set(path, size);
    return size;
  };
  const scripts = [...globSync('server/src/http/pages/assets/*.js', { cwd: root })].map((file) =>
    basename(file),
  );
  let largest = 0;
  for (const [path, page] of pages) {
    const assets = new Set(assetsOf(page));
    const folder = [...assets].find((asset) => asset.endsWith('/page.css'))?.replace('page.css', '');
    for (const script of scripts) assets.add(`${folder}${script}`);
    let load = (await sizeOf(path)) + (await sizeOf('/docs/search.json'));
    for (const asset of assets) load += await sizeOf(asset);
    assert.ok(load < MAX_LOAD, `${path}: ${load} bytes`);
    largest = Math.max(largest, load);
  }
  assert.ok(largest > 20_000, `${largest} bytes`);
});

test("only URLs with a file's hash serve styles and scripts as immutable", async () => {
  const assets = assetsOf(pages.get('/docs/reference/messages') as string).filter((path) =>
    path.startsWith('/docs/assets/'),
  );
  assert.ok(assets.length >= 4, String(assets));
  for (const asset of assets) {
    const { headers, status } = await get(asset);
    assert.equal(status, 200);
    assert.match(headers.get('cache-control') ?? '', /max-age=31536000, immutable/);
    const again = await get(asset, { 'if-none-match': headers.get('etag') as string });
    assert.deepEqual([again.status, again.headers.get('cache-control')], [304, headers.get('cache-control')]);
    const other = await get(asset.replace(/assets\/[^/]+/, 'assets/other'));
    assert.equal(other.headers.get('cache-control'), 'no-cache');
  }
  for (const path of ['/docs/assets/x/nothing.js', '/docs/assets/x/..%2fmount.ts', '/docs/assets/x/mount.ts'])
    assert.equal((await get(path)).status, 404, path);
});

test('a missing page is HTML for a browser, and an error envelope for an API client', async () => {
  const page = await get('/docs/guides/nothing', browser);
  assert.equal(page.status, 404);
  assert.match(page.text, /Page not found/);
  const { status, body } = await get('/docs/guides/nothing');
  assert.deepEqual([status, body.error.code], [404, 'NOT_FOUND']);
  const moved = await fetch(`${server.url}/docs`, { redirect: 'manual' });
  assert.deepEqual([moved.status, moved.headers.get('location')], [308, '/docs/']);
});

test('the icon is served in both formats, and robots.txt disallows everything', async () => {
  assert.match((await get('/favicon.svg')).text, /^<svg /);
  const icon = await fetch(`${server.url}/favicon.ico`);
  assert.equal(icon.headers.get('content-type'), 'image/x-icon');
  assert.deepEqual([...new Uint8Array(await icon.arrayBuffer())].slice(0, 4), [0, 0, 1, 0]);
  assert.equal((await get('/robots.txt')).text, 'User-agent: *\nDisallow: /\n');
});

test('the search finds guides, operations and records, each with an existing URL', async () => {
  const { body } = await get('/docs/search.json');
  const titles = body.map(({ t }: { t: string }) => t);
  for (const title of ['Errors', 'Send a message', 'ShownMessage', 'Over the limit'])
    assert.ok(titles.includes(title), title);
  for (const { u } of body) {
    const { pathname, hash } = new URL(u, server.url);
    assert.ok(
      hash === ''
        ? pages.has(pathname)
        : pages.get(pathname)?.includes(` id="${decodeURIComponent(hash.slice(1))}"`),
      u,
    );
  }
});

test('flags, options and field names do not wrap', () => {
  const short = [...[...pages.values()].join('\n').matchAll(/<code( class="whole")?>([^<]{1,36})<\/code>/g)];
  const broken = short.filter(
    ([, whole, text]) => !whole && /^(can[A-Z]\w+|--[a-z-]+)$/.test(text as string),
  );
  assert.ok(short.length > 1_000);
  assert.deepEqual(
    broken.map(([, , text]) => text),
    [],
  );
});

test('the lists that suggest ids in the forms exist in the OpenAPI document', async () => {
  const { body } = await get('/openapi.json');
  const shapes = Object.keys(body.paths).map((path) => path.replace(/\{\w+\}/g, '{}'));
  const script = readFileSync(join(root, 'server/src/http/pages/assets/ids.js'), 'utf8');
  const paths = [...script.matchAll(/path: '([^']+)'/g)].map(([, path]) => path as string);
  assert.ok(paths.length > 12);
  for (const path of paths) assert.ok(shapes.includes(path.replace(/\{\w+\}/g, '{}')), path);
});

test("API responses' policy prevents browsers from loading or showing anything", async () => {
  for (const path of ['/api/v1/servers', '/healthz', '/nowhere']) {
    const { headers } = await call(server, 'GET', path, { key: server.key });
    assert.equal(headers.get('x-content-type-options'), 'nosniff');
    assert.equal(headers.get('content-security-policy'), "frame-ancestors 'none'");
    assert.match(headers.get('content-type') ?? '', /^application\/json/);
  }
});

test('documents and assets are compressed, and not sent again to a browser that has cached them', async () => {
  const [style = ''] = assetsOf(pages.get('/docs/start') as string).filter((path) => path.endsWith('.css'));
  for (const path of ['/openapi.json', '/docs/', '/docs/guides/errors', '/docs/search.json', style]) {
    const plain = await get(path, { 'accept-encoding': 'identity' });
    assert.equal(plain.headers.get('content-encoding'), null);
    for (const [accepted, encoding] of [
      ['br', 'br'],
      ['gzip, deflate, br', 'br'],
      ['gzip, deflate, br, zstd', 'br'],
      ['gzip, zstd', 'zstd'],
      ['gzip;q=0.5', 'gzip'],
      ['br;q=0, gzip', 'gzip'],
      ['br;q=0.0', null],
      ['zstd', 'zstd'],
      ['compress', null],
    ] as const) {
      const given = await get(path, { 'accept-encoding': accepted });
      assert.equal(given.status, 200);
      assert.equal(given.headers.get('content-encoding'), encoding, `${path} ${accepted}`);
      assert.equal(given.headers.get('vary'), 'accept-encoding');
      assert.equal(given.text, plain.text);
      const etag = given.headers.get('etag') as string;
      for (const known of [etag, `W/${etag}`, `"other", ${etag}`]) {
        const again = await get(path, { 'accept-encoding': accepted, 'if-none-match': known });
        assert.equal(again.status, 304);
        assert.equal(again.text, '');
        assert.equal(again.headers.get('etag'), etag);
      }
      assert.equal(
        (await get(path, { 'accept-encoding': accepted, 'if-none-match': '"other"' })).status,
        200,
      );
    }
  }
});

test('every page is available as Markdown, and /llms.txt lists them all', async () => {
  const list = await get('/llms.txt');
  assert.equal(list.status, 200);
  assert.match(list.headers.get('content-type') ?? '', /^text\/plain; charset=utf-8/);
  assert.match(list.text, /^# .+\n\n> .+\n/);
  const listed = [...list.text.matchAll(/\]\((\/[^)]+)\)/g)].map(([, path]) => path as string);
  assert.equal((await get('/docs/index.md')).text, list.text);
  for (const path of pages.keys()) {
    if (!/^\/docs\/(guides|reference)\/[^/]+$/.test(path) || path.endsWith('/sent')) continue;
    assert.ok(listed.includes(`${path}.md`), path);
  }
  for (const path of listed.filter((each) => each.endsWith('.md'))) {
    const page = await get(path);
    assert.equal(page.status, 200, path);
    assert.match(page.headers.get('content-type') ?? '', /^text\/markdown; charset=utf-8/);
    assert.match(page.text, /^# \S/m, path);
    for (const [, target = ''] of page.text.matchAll(/\]\((\/docs\/guides\/[^)#\s]+)/g))
      assert.ok(listed.includes(target), `${path} links to ${target}`);
  }
  for (const path of [
    '/docs/guides/none.md',
    '/docs/guides/..%2f..%2fpackage.md',
    '/docs/.md',
    '/docs/reference/x/y.md',
  ])
    assert.equal((await get(path)).status, 404, path);
});
