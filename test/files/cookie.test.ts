// @run sqlite: tests cookie authentication, which works the same on every engine
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Browser } from '../support/account.ts';
import { dataOf } from '../support/expect.ts';
import { takeMember } from '../support/rows.ts';
import { addSession, change } from '../support/sources.ts';
import { plainBytes, upload } from '../support/uploads.ts';
import { type Client, type Json, World } from '../support/world.ts';

// Files in a page: an image request sends the session cookie, but no custom header.

let world: World;
let server: Json;
let admin: Client;
let channel: Json;
before(async () => {
  world = await World.open();
  const owner = await world.user();
  server = await world.server(owner);
  admin = await world.client(server, ['canAdmin'], owner);
  channel = dataOf(await admin.post('/channels', { name: 'files' }));
});
after(() => world.close());

const OWN = { 'sec-fetch-site': 'same-origin' };

async function sent(client: Client, channelId = channel.id): Promise<Json> {
  const file = dataOf(await upload(world, client, plainBytes(100)));
  dataOf(await client.post('/messages', { channelId, content: 'See here', attachmentIds: [file.id] }));
  return file;
}

/** Sends a request like that for an image in a page. */
const show = (
  { cookie }: Pick<Browser, 'cookie'>,
  { id }: Json,
  headers: Record<string, string> = OWN,
  rest = '/content',
  method = 'GET',
) =>
  fetch(`${world.url}/api/v1/attachments/${id}${rest}`, {
    method,
    headers: { ...(cookie && { cookie }), ...headers },
  });

async function member(): Promise<{ user: Json; browser: Browser }> {
  const user = await world.user();
  await world.member(server, user);
  return { user, browser: await Browser.of(world, user) };
}

test('a page on this server can show files to members with only their cookie, including ranges', async () => {
  const { browser } = await member();
  const file = await sent(admin);
  for (const fetchSite of ['same-origin', 'none']) {
    const answer = await show(browser, file, { 'sec-fetch-site': fetchSite });
    assert.deepEqual([answer.status, (await answer.arrayBuffer()).byteLength], [200, 100], fetchSite);
    assert.equal(answer.headers.get('cache-control'), 'private, no-store');
    assert.equal(answer.headers.get('cross-origin-resource-policy'), 'same-origin');
  }
  assert.equal((await show(browser, file, { ...OWN, range: 'bytes=0-9' })).status, 206);
});

test('browsers that do not send Sec-Fetch-Site, as over plain HTTP, are recognized by the page that refers to a file', async () => {
  const { browser } = await member();
  const file = await sent(admin);
  const { host } = new URL(world.url);
  for (const referer of [`${world.url}/s/1/c/2`, `${world.url}/`])
    assert.equal((await show(browser, file, { referer })).status, 200, referer);
  for (const referer of [
    '',
    'null',
    'about:blank',
    `http://${host}.evil.example/`,
    `http://evil.example/${host}/`,
    `http://${host}@evil.example/`,
    `http://localhost:1/`,
    `ftp://${host}/`,
    `chrome-extension://${host}/`,
    `//${host}/`,
  ])
    assert.equal((await show(browser, file, { referer })).status, 401, referer);
  const own = { referer: `${world.url}/` };
  for (const headers of [{ origin: 'https://evil.example' }, { 'sec-fetch-site': 'cross-site' }])
    assert.equal((await show(browser, file, { ...own, ...headers } as never)).status, 401);
});

test("an app's token is not accepted in a cookie", async () => {
  const { user } = await member();
  const file = await sent(admin);
  const { token } = await change(world.data, (work) =>
    addSession(work, { userId: user.id, device: null, bearer: true }),
  );
  assert.equal((await show({ cookie: `palaver=${token}` }, file)).status, 401);
});

test('other pages cannot show files, regardless of their headers, and the response does not reveal whether a file exists', async () => {
  const { browser } = await member();
  const file = await sent(admin);
  for (const headers of [
    {},
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'Same-Origin' },
    { 'sec-fetch-site': 'same-origin, none' },
    { ...OWN, origin: 'null' },
    { ...OWN, origin: 'https://evil.example' },
  ] as Record<string, string>[]) {
    const refusals = new Set<string>();
    for (const id of [file.id, 'none', '..%2F..%2Fusers%2Fme', crypto.randomUUID()]) {
      const answer = await show(browser, { id }, headers);
      const { error } = (await answer.json()) as Json;
      refusals.add(`${answer.status} ${error.code} ${error.message}`);
    }
    const [refusal = ''] = refusals;
    assert.match(refusal, /^401 UNAUTHORIZED/);
    assert.equal(refusals.size, 1, [...refusals].join('\n'));
  }
  // A cookie without a session gets the same response for a file that exists and one that does not.
  const stranger = { cookie: `palaver=session_plv_${'0'.repeat(38)}` };
  for (const id of [file.id, crypto.randomUUID()]) assert.equal((await show(stranger, { id })).status, 401);
  assert.equal((await show({ cookie: '' }, file)).status, 401);
  const two = { cookie: `${browser.cookie}; ${browser.cookie}` };
  assert.equal((await show(two, file)).status, 401);
});

test('the cookie alone only works for file contents', async () => {
  const { browser } = await member();
  const file = await sent(admin);
  assert.equal((await show(browser, file, OWN, '')).status, 401);
  assert.equal((await show(browser, file, OWN, '', 'DELETE')).status, 401);
  for (const path of ['/api/v1/servers', '/api/v1/users/me', '/api/people/me', '/api/v1/events']) {
    const answer = await fetch(world.url + path, { headers: { cookie: browser.cookie, ...OWN } });
    assert.equal(answer.status, 401, path);
  }
});

test('access follows the message: members can read its files while they see its channel', async () => {
  const { user, browser } = await member();
  const outsider = await Browser.of(world, await world.user());
  const hidden = dataOf(await admin.post('/channels', { name: 'hidden', private: true }));
  const [open, secret] = [await sent(admin), await sent(admin, hidden.id)];
  const unsent = dataOf(await upload(world, admin));
  const statuses = async (who: Browser) =>
    Promise.all(
      [open, secret, unsent, { id: crypto.randomUUID() }].map(async (one) => (await show(who, one)).status),
    );
  assert.deepEqual(await statuses(browser), [200, 403, 403, 404]);
  assert.deepEqual(await statuses(outsider), [403, 403, 403, 404]);
  await takeMember(world, server.id, user.id);
  assert.deepEqual(await statuses(browser), [403, 403, 403, 404]);
});
