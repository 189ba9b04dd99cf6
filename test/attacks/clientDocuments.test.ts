// @run sqlite: documents are checked before anything is stored
import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { after, before, test } from 'node:test';
import { Browser } from '../support/account.ts';
import { refused } from '../support/addresses.ts';
import { pkce, redirectBody } from '../support/apps.ts';
import { ClientHost, documentOf } from '../support/clientHost.ts';
import { assertRefused, dataOf } from '../support/expect.ts';
import { granted } from '../support/grants.ts';
import { type Answer, type Json, World } from '../support/world.ts';

const redirectUri = 'http://127.0.0.1:4711/callback';

let open: World;
let closed: World;
let host: ClientHost;
let server: Json;
let browser: Browser;
let outside: Browser;
/** Addresses by host name, as the world `closed` resolves them. */
const names = new Map<string, string[]>();
before(async () => {
  host = await ClientHost.open();
  open = await World.open({ clientDocuments: { allowPrivate: true } });
  const resolve = async (name: string) =>
    (names.get(name) ?? []).map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
  closed = await World.open({ clientDocuments: { resolve } });
  const user = await open.user();
  server = await open.server(user);
  browser = await Browser.of(open, user);
  outside = await Browser.of(closed, await closed.user());
});
after(async () => {
  await closed.close();
  await open.close();
  await host.close();
});

const look = (client: string, of = browser, uri = redirectUri): Promise<Answer> =>
  of.post('/approvals/client', { client, redirectUri: uri });

const refuse = async (client: string, of = browser, context = client): Promise<string> => {
  const answer = await look(client, of);
  assertRefused(answer, 'INVALID_REQUEST', context, 'client');
  return answer.body.error.details[0].message;
};

for (const [kind, hosts] of Object.entries(refused))
  test(`no document is loaded from: ${kind}`, async () => {
    const asked = host.asked;
    for (const name of hosts)
      for (const url of [`https://${name}/client.json`, `https://${name}:8443/client.json`])
        await refuse(url, outside);
    assert.equal(host.asked, asked);
  });

test('no document is loaded from a name that resolves to a private address', async () => {
  const asked = host.asked;
  const { port } = new URL(host.url);
  for (const addresses of [
    ['127.0.0.1'],
    ['93.184.216.34', '127.0.0.1'],
    ['::ffff:127.0.0.1'],
    ['169.254.169.254'],
  ]) {
    const name = `name-${names.size}.example.com`;
    names.set(name, addresses);
    await refuse(`https://${name}:${port}/client.json`, outside, addresses.join());
  }
  assert.equal(host.asked, asked);
});

test('without the setting, a document needs TLS', async () => {
  const asked = host.asked;
  await refuse(host.publish(), outside);
  assert.equal(host.asked, asked);
});

test('a client_id is a normalized URL with a path', async () => {
  const { port } = new URL(host.url);
  const at = (rest: string): string => `http://127.0.0.1:${port}${rest}`;
  for (const url of [
    at(''),
    at('/'),
    at('/a/../client.json'),
    at('/client.json#x'),
    at('/client.json#'),
    `http://ada:secret@127.0.0.1:${port}/client.json`,
    `http://127.0.0.1:${port}\\client.json`,
    `HTTP://127.0.0.1:${port}/client.json`,
    'http:/127.0.0.1/client.json',
    'https:',
    'https://',
    `https://example.com/${'a'.repeat(300)}`,
  ])
    await refuse(url);
});

const wrong: Record<string, Json> = {
  'another client_id': { client_id: 'https://chat.example.com/client.json' },
  'no client_id': { client_id: undefined },
  'no name': { client_name: undefined },
  'a name that is not a string': { client_name: ['Harbour'] },
  'an empty name': { client_name: '' },
  'an invisible name': { client_name: '\u2800\u3164' },
  'a long name': { client_name: 'a'.repeat(101) },
  'a name that turns the text around': { client_name: 'Harbour \u202etnegA' },
  'a name with a line break': { client_name: 'Harbour\nVerified' },
  'a name with piled marks': { client_name: `a${'\u0301'.repeat(20)}` },
  'the name of Palaver': { client_name: 'Palaver' },
  'a name that looks like Palaver': { client_name: 'Раlаvеr Support' },
  'no redirect_uris': { redirect_uris: undefined },
  'empty redirect_uris': { redirect_uris: [] },
  'many redirect_uris': { redirect_uris: Array(51).fill(redirectUri) },
  'a long redirect_uri': { redirect_uris: [`https://example.com/${'a'.repeat(500)}`] },
  'redirect_uris that are not strings': { redirect_uris: [{}] },
  'a secret': { token_endpoint_auth_method: 'client_secret_basic' },
  'another grant type': { grant_types: ['client_credentials'] },
};

for (const [kind, fields] of Object.entries(wrong))
  test(`a document with ${kind} is refused`, async () => {
    assert.match(await refuse(host.publish(fields)), /metadata document/);
  });

test('a document that is not a JSON object is refused', async () => {
  for (const text of ['', 'null', '[]', '"x"', '{', '{"client_id":', '\ufeff{}', '[['.repeat(5_000)])
    await refuse(host.publish(text as never), browser, text.slice(0, 20));
  await refuse(host.publish({}, 'text/html'));
  await refuse(host.publish({}, 'text/plain'));
  const bytes = host.page((_request, response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(Buffer.from([0x7b, 0xff, 0x7d])),
  );
  await refuse(bytes);
});

test('a document that is too long, endless or compressed is refused', async () => {
  await refuse(host.publish({ padding: 'a'.repeat(16 * 1024) }));
  let sent = 0;
  const endless = host.page((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    const more = (error?: Error | null): void => {
      if (error) return;
      sent += 1024;
      response.write(' '.repeat(1024), more);
    };
    more();
  });
  await refuse(endless);
  assert.ok(sent < 10_000_000, `${sent} bytes`);
  const packed = host.page((_request, response) =>
    response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' }).end('x'),
  );
  await refuse(packed);
});

test('redirects are followed within the origin, up to three', async () => {
  const other = await ClientHost.open();
  const to = (location: string, status = 302): string =>
    host.page((_request, response) => response.writeHead(status, { location }).end());
  const pathOf = (url: string): string => new URL(url).pathname;

  let final = '';
  const document = host.page((_request, response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(documentOf(final))),
  );
  let url = document;
  for (let hops = 1; hops <= 3; hops++) {
    url = to(pathOf(url), hops === 2 ? 308 : 302);
    final = url;
    assert.equal(dataOf(await look(url)).name, 'Harbour Agent', `${hops}`);
  }
  final = to(pathOf(url));
  await refuse(final);

  // A redirect to another origin is refused, because that origin could otherwise impersonate the app's origin.
  final = to(other.publish());
  await refuse(final);
  assert.equal(other.asked, 0);
  for (const location of ['https://127.0.0.1/x', 'file:///etc/passwd', '//127.0.0.1:1/x', 'http://[', ''])
    await refuse(to(location), browser, location);
  const loop = host.page((request, response) => response.writeHead(302, { location: request.url }).end());
  await refuse(loop);
  await other.close();
});

test('a slow response is abandoned after five seconds and does not block other requests', async () => {
  const slow = host.page((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    const drip = setInterval(() => response.write(' '), 100);
    response.on('close', () => clearInterval(drip));
  });
  const began = performance.now();
  const waiting = refuse(slow);
  dataOf(await look(host.publish()));
  assert.ok(performance.now() - began < 4_000);
  await waiting;
  assert.ok(performance.now() - began < 9_000);
});

test('the number of concurrent loads is limited, and each document is loaded once', async () => {
  const silent = createServer(() => {});
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  const { port } = silent.address() as { port: number };
  const urls = Array.from({ length: 30 }, (_, count) => `http://127.0.0.1:${port}/${count}.json`);
  const codes = (await Promise.all(urls.map((url) => look(url)))).map(({ body }) => body.error.code);
  assert.equal(codes.filter((code) => code === 'RATE_LIMITED').length, 10);
  silent.close();
  const asked = host.asked;
  const url = host.publish();
  await Promise.all(Array.from({ length: 10 }, async () => dataOf(await look(url))));
  assert.equal(host.asked, asked + 1);
});

test('the code is only sent to redirect URIs in the document, with any port for loopback addresses', async () => {
  const client = host.publish();
  const approve = (uri: string) =>
    browser.post(
      '/approvals/redirect',
      redirectBody(pkce().challenge, { client, redirectUri: uri, serverId: server.id }),
    );
  for (const uri of [
    'https://agent.example.com/callback',
    'http://127.0.0.1/callback',
    'http://127.0.0.1:4000/callback',
    'http://localhost:59999/callback',
  ]) {
    dataOf(await look(client, browser, uri), uri);
    dataOf(await approve(uri), uri);
  }
  for (const uri of [
    'https://agent.example.com/callback/',
    'https://agent.example.com/callback?a=b',
    'https://agent.example.com/Callback',
    'https://agent.example.com:8443/callback',
    'https://agent.example.com/callback#x',
    'https://ada@agent.example.com/callback',
    'https://agent.example.com.evil.example/callback',
    'https://evil.example/callback',
    'http://agent.example.com/callback',
    'http://127.0.0.1:4000/other',
    'http://127.0.0.1:4000/callback?a=b',
    'http://[::1]:4000/callback',
    'http://localhost.evil.example/callback',
    'https://localhost/callback',
    'javascript:alert(1)',
    'com.example.app:/callback',
  ]) {
    assertRefused(await look(client, browser, uri), 'INVALID_REQUEST', uri, 'redirectUri');
    assertRefused(await approve(uri), 'INVALID_REQUEST', uri, 'redirectUri');
  }
});

test('a name that looks like the name of another granted app is refused', async () => {
  const client = host.publish({ client_name: 'Scope Bot' });
  await granted(open, browser, server.id, { client, redirectUri });
  dataOf(await look(client));
  assert.match(await refuse(host.publish({ client_name: 'Sсоре Bot' })), /looks like "Scope Bot"/);
  // Apps with the same name are distinguished by their hosts.
  dataOf(await look(host.publish({ client_name: 'Scope Bot' })));
});

test('only a signed-in person makes this server load a document', async () => {
  const asked = host.asked;
  const client = host.publish();
  assertRefused(await look(client, new Browser(open)), 'UNAUTHORIZED');
  assert.equal(host.asked, asked);
});
