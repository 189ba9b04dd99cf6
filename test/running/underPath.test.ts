// @run sqlite: tests URLs, which do not depend on the engine
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createPalaver } from '../../client/src/index.ts';
import { Browser, cookiesOf, linkFor } from '../support/account.ts';
import { begin, form, pkce, redirectBody } from '../support/apps.ts';
import { dataOf } from '../support/expect.ts';
import { HostileProvider } from '../support/hostileProvider.ts';
import { MailServer } from '../support/mailServer.ts';
import { Stage } from '../support/process.ts';
import { settingsOf } from '../support/provider.ts';
import { Scene } from '../support/scene.ts';
import { assetsOf } from '../support/site.ts';
import { type Json, World } from '../support/world.ts';

// A server under a path: every address that it returns has the path, and every path is served with and without it.

const BASE = '/team/chat';
const ADDRESS = `https://example.com${BASE}`;
const page = { accept: 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.8' };

let world: World;
let scene: Scene;
let provider: HostileProvider;
let mails: MailServer;
before(async () => {
  provider = await HostileProvider.open();
  mails = await MailServer.open();
  world = await World.open({
    address: ADDRESS,
    signUp: 'open',
    providers: [settingsOf('one', provider.issuer)],
    mail: mails.settings(ADDRESS),
  });
  scene = await Scene.open(world);
});
after(async () => {
  await world.close();
  await Promise.all([provider.close(), mails.stop()]);
});

const get = (path: string, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(world.url + path, { headers, redirect: 'manual' });
const jsonOf = async (path: string, headers?: Record<string, string>): Promise<Json> =>
  (await get(path, headers)).json();

test('every path is served with the base, and without it for proxies that strip it', async () => {
  const asset = assetsOf(await (await get('/', page)).text()).find((path) => path.includes('/web/')) ?? '';
  assert.match(asset, /^\/team\/chat\/web\//);
  const paths = [
    '/',
    '/s/server_1/c/channel_1',
    '/welcome',
    asset.slice(BASE.length),
    '/serviceWorker.js',
    '/manifest.webmanifest',
    '/favicon.svg',
    '/docs/start',
    '/docs/guides/proxy.md',
    '/docs/search.json',
    '/llms.txt',
    '/openapi.json?a=1',
    '/healthz',
    '/readyz',
  ];
  for (const path of paths) {
    const [plain, under] = await Promise.all([get(path, page), get(BASE + path, page)]);
    assert.deepEqual([plain.status, under.status], [200, 200], path);
    assert.equal(await under.text(), await plain.text(), path);
    assert.equal(under.headers.get('etag'), plain.headers.get('etag'), path);
  }
  for (const path of [`${BASE}er/`, `${BASE}${BASE}/`, '/team/', '/chat/', `${BASE}/nothing`, '/TEAM/CHAT/'])
    assert.equal((await get(path, page)).status, 404, path);
});

test('the base path without a slash redirects to the one with a slash, which the service worker covers', async () => {
  const answer = await get(`${BASE}?a=1&b=/?`, page);
  assert.deepEqual([answer.status, answer.headers.get('location')], [308, `${BASE}/?a=1&b=/?`]);
  assert.equal((await fetch(world.url + BASE, { method: 'POST' })).status, 404);
});

test('every link on every page starts with the base, and leads to a page', async () => {
  const browser = await Browser.of(world, scene.owner);
  const links = new Set<string>();
  for (const [path, headers] of [
    ['/', {}],
    ['/', { 'sec-fetch-site': 'none' }],
    ['/me', { cookie: browser.cookie.replace('palaver', 'palaver.team.chat') }],
    ['/no/such/page', {}],
    ['/docs/', {}],
    ['/docs/start', {}],
    ['/docs/nothing', {}],
    ['/docs/guides/proxy', {}],
    ['/docs/reference/messages', {}],
  ] as const) {
    const html = await (await get(BASE + path, { ...page, ...headers })).text();
    if (path === '/me') assert.match(html, /<div id="app" data-signed-in/);
    const found = [...html.matchAll(/ (?:href|src|data-probe)="([^"#]+)/g)].map(([, link]) => link as string);
    assert.ok(found.length > 5, path);
    for (const link of found) if (!/^https?:/.test(link)) links.add(link);
  }
  for (const path of ['/llms.txt', '/docs/guides/proxy.md']) {
    const text = await (await get(BASE + path)).text();
    for (const [, link] of text.matchAll(/\]\((\/[^)#\s]*)/g)) links.add(link as string);
  }
  assert.ok(links.size > 80, String(links.size));
  assert.deepEqual(
    [...links].filter((link) => !link.startsWith(`${BASE}/`)),
    [],
  );
  const some = [...links].filter(
    (link, index) => !/\/docs\/(guides|reference)\//.test(link) || index % 12 === 0,
  );
  for (const link of some) assert.ok((await get(link, page)).status < 400, link);
});

test("the manifest, the search index and the guides' scripts work under any base", async () => {
  const { start_url, scope, id, icons } = await jsonOf(`${BASE}/manifest.webmanifest`);
  const at = `${ADDRESS}/manifest.webmanifest`;
  assert.deepEqual(
    [new URL(start_url, at).href, new URL(scope, at).href, id],
    [`${ADDRESS}/`, `${ADDRESS}/`, undefined],
  );
  for (const { src } of icons) assert.equal((await get(new URL(src, at).pathname)).status, 200, src);
  const script =
    [...(await (await get('/docs/', page)).text()).matchAll(/src="([^"]+\/page\.js)"/g)][0]?.[1] ?? '';
  const { base } = await import(
    `data:text/javascript,${encodeURIComponent(
      (await (await get(script.replace('page.js', 'base.js'))).text()).replace(
        'import.meta.url',
        JSON.stringify(`https://example.com${script}`),
      ),
    )}`
  );
  assert.equal(base, BASE);
});

test('links in headers and errors, redirects and descriptions have the base', async () => {
  await scene.channel();
  await scene.channel();
  const list = await scene.admin.get(`/servers/${scene.server.id}/channels?limit=1`);
  const [, next = ''] = /^<([^>]+)>; rel="next"/.exec(list.headers.get('link') ?? '') ?? [];
  assert.match(next, /^\/team\/chat\/api\/v1\/servers\//);
  assert.equal((await get(next, { authorization: `Bearer ${scene.admin.key}` })).status, 200);

  const refused = await scene.admin.post('/channels', {});
  const { help } = refused.body.error.details[0];
  assert.equal(help, `${BASE}/docs/guides/errors#missing`);

  assert.equal((await get(`${BASE}/docs`)).headers.get('location'), `${BASE}/docs/`);
  assert.equal((await jsonOf(`${BASE}/`)).data.openapi, `${BASE}/openapi.json`);
  const { servers, info } = await jsonOf(`${BASE}/openapi.json`);
  assert.equal(servers[0].url, world.url + BASE);
  assert.match(info.description, /\]\(\/team\/chat\/docs\//);
});

test('cookies apply only to the base path, and cookies from other servers on the host are ignored', async () => {
  const user = await world.user();
  const { token } = await linkFor(world, user);
  const browser = new Browser(world);
  const claimed = await browser.post('/links/claim', { token, password: 'a horse that nobody rides' });
  const cookies = cookiesOf(claimed);
  assert.deepEqual(
    cookies.map(({ name }) => name),
    ['__Secure-palaver.team.chat', '__Secure-palaver.team.chat-known'],
  );
  for (const { attributes } of cookies) {
    assert.ok(attributes.includes(`path=${BASE}`), String(attributes));
    for (const one of ['secure', 'httponly', 'samesite=strict']) assert.ok(attributes.includes(one), one);
  }
  const own = browser.cookie;
  browser.cookie = `__Host-palaver=other; palaver=other; __Secure-palaver.team=other; ${own}`;
  assert.equal(dataOf(await browser.get('/me')).id, user.id);
  browser.cookie = own.replace('__Secure-palaver.team.chat', '__Host-palaver');
  assert.equal((await browser.get('/me')).status, 401);

  const { headers } = await get('/', { ...page, cookie: 'palaver-language=de' });
  assert.match(headers.get('set-cookie') ?? '', /^palaver-language=de; Path=\/team\/chat;/);
});

test('apps find the endpoints where RFC 8414 puts them, and get links with the base', async () => {
  const metadata = await jsonOf(`/.well-known/oauth-authorization-server${BASE}`);
  assert.deepEqual(metadata, await jsonOf(`${BASE}/.well-known/oauth-authorization-server`));
  assert.equal(metadata.issuer, ADDRESS);
  for (const name of ['authorization_endpoint', 'device_authorization_endpoint', 'token_endpoint'])
    assert.ok(metadata[name].startsWith(`${ADDRESS}/`), name);
  const begun = await begin(world);
  assert.equal(begun.verification_uri, `${ADDRESS}/device`);
  assert.equal(begun.verification_uri_complete, `${ADDRESS}/device#${begun.user_code}`);
  assert.equal(
    (await form({ ...world, request: world.request.bind(world), url: world.url + BASE }, 'token', {})).status,
    400,
  );

  const browser = await signedIn();
  const { challenge } = pkce();
  const { redirectTo } = dataOf(await browser.post('/approvals/redirect', redirectBody(challenge)));
  assert.equal(new URL(redirectTo).searchParams.get('iss'), ADDRESS);
});

test('sign-in providers redirect people to the base path', async () => {
  const { url } = dataOf(await new Browser(world).post('/providers/one/start', { returnTo: `${BASE}/me` }));
  assert.equal(new URL(url).searchParams.get('redirect_uri'), `${ADDRESS}/sign-in/one`);
});

test('links in emails have the base path', async () => {
  const browser = await signedIn();
  dataOf(await browser.post('/email', { email: 'person@example.org' }));
  await world.node.mails?.look();
  const { text } = await mails.mailTo('person@example.org');
  assert.match(text, /^https:\/\/example\.com\/team\/chat\/welcome#link_plv_\w+$/m);
});

test('the client for JavaScript accepts a URL with the base path', async () => {
  const palaver = createPalaver({ baseUrl: `${world.url}${BASE}/`, key: scene.admin.key });
  const { id: channelId } = await palaver.channelInsert({ name: 'under' });
  const [{ id: after }] = dataOf(await scene.admin.get('/events?before=latest&limit=1'));
  const sent = await palaver.messageSend({ channelId, content: 'Hello' });
  const [event] = await Array.fromAsync(first(palaver.events({ after })));
  assert.equal((event as Json).data.id, sent.id);
});

test('commands take a URL with the base path', async () => {
  const stage = new Stage();
  const { id } = await scene.channel();
  const environment = { PALAVER_URL: `${world.url}${BASE}/`, PALAVER_KEY: scene.admin.key };
  const sent = await stage.run(['send', '--channel', id, '--json', 'Hello'], environment);
  assert.equal(JSON.parse(sent.stdout).content, 'Hello', sent.stderr);
  await stage.close();
});

async function* first<T>(values: AsyncIterable<T>): AsyncGenerator<T> {
  for await (const value of values) return yield value;
}

/** A new person's browser, whose cookie has the name for the base path. */
async function signedIn(): Promise<Browser> {
  const browser = await Browser.of(world, await world.user());
  browser.cookie = browser.cookie.replace('palaver', '__Secure-palaver.team.chat');
  return browser;
}
