import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import sharp from 'sharp';
import { Browser } from '../support/account.ts';
import { assertRefused, dataOf } from '../support/expect.ts';
import { logOf } from '../support/log.ts';
import { photo, png, SECRET } from '../support/pictures.ts';
import { find, q } from '../support/sources.ts';
import { plainBytes, storedIn, upload } from '../support/uploads.ts';
import { type Client, type Json, World } from '../support/world.ts';

// Images of servers and users: upload, URL and deletion.

let world: World;
let owner: Json;
let server: Json;
let admin: Client;
before(async () => {
  world = await World.open({ quotas: { fileMegabytes: 1 } });
  owner = await world.user();
  server = await world.server(owner);
  admin = await world.client(server, ['canAdmin'], owner);
});
after(() => world.close());

const small = (shade = 'red') =>
  sharp({ create: { width: 40, height: 40, channels: 3, background: shade } })
    .png()
    .toBuffer();

const put = (client: Pick<Client, 'key'>, path: string, bytes: Uint8Array, headers = {}) =>
  upload(world, client, Buffer.from(bytes), '../../icon.png', { path, headers });
const iconOf = ({ id }: Json) => `/servers/${id}/icon`;
/** An image as a page loads it: without a key. */
const get = (address: string, headers: Record<string, string> = {}) =>
  fetch(`${world.url}${address}`, { headers });
const used = async ({ id }: Json): Promise<number> =>
  (await world.data.db.read.first(find('fileUse', { serverId: id })))?.bytes ?? 0;

test('an uploaded icon is in the record and its event, and is served to anyone with its URL', async () => {
  const changed = dataOf(await put(admin, iconOf(server), await small()));
  assert.match(changed.icon, /^\/api\/v1\/pictures\/[\da-f-]{36}$/);
  assert.equal(dataOf(await admin.get(`/servers/${server.id}`)).icon, changed.icon);
  const events = (await logOf(world, server.id)).filter(({ type }) => type === 'server.updated');
  assert.equal((events.at(-1) as Json).data.icon, changed.icon);
  const { id: inviteId } = dataOf(await admin.post('/invites', {}));
  assert.equal(dataOf(await admin.get(`/invites/${inviteId}`)).server.icon, changed.icon);
  const answer = await get(changed.icon);
  assert.deepEqual(
    ['content-type', 'cache-control', 'cross-origin-resource-policy', 'x-content-type-options'].map((name) =>
      answer.headers.get(name),
    ),
    ['image/png', 'public, max-age=31536000, immutable', 'cross-origin', 'nosniff'],
  );
  assert.equal(
    answer.headers.get('content-security-policy'),
    "default-src 'none'; frame-ancestors 'none'; sandbox",
  );
  const bytes = Buffer.from(await answer.arrayBuffer());
  assert.deepEqual(
    await sharp(bytes).raw().toBuffer(),
    await sharp(await small())
      .raw()
      .toBuffer(),
  );
  const tag = answer.headers.get('etag') ?? '';
  assert.equal((await get(changed.icon, { 'if-none-match': tag })).status, 304);
  const part = await get(changed.icon, { range: 'bytes=1-3' });
  assert.deepEqual([part.status, await part.text()], [206, 'PNG']);
  assertRefused(await admin.get('/pictures/none'), 'NOT_FOUND');
});

test("images have previews, lose their metadata, and count towards their server's files", async () => {
  const other = await world.server(owner);
  const client = await world.client(other, ['canEditServer']);
  const { banner } = dataOf(
    await put(client, `/servers/${other.id}/banner`, await photo(1800, 900).jpeg({ quality: 30 }).toBuffer()),
  );
  const whole = Buffer.from(await (await get(banner)).arrayBuffer());
  assert.ok(!whole.includes(SECRET));
  assert.equal(await used(other), whole.length);
  const preview = Buffer.from(await (await get(`${banner}?preview=small`)).arrayBuffer());
  const { format, height } = await sharp(preview).metadata();
  assert.deepEqual([format, height], ['webp', 480]);
  const { icon } = dataOf(await put(client, iconOf(other), await small()));
  assert.equal((await get(`${icon}?preview=large`)).headers.get('content-type'), 'image/png');
  assert.ok((await used(other)) > whole.length);
  // Both images are deleted once the record no longer refers to them.
  dataOf(await client.patch(`/servers/${other.id}`, { banner: null, icon: 'https://example.com/a.png' }));
  assert.equal(await used(other), 0);
  assert.equal((await get(banner)).status, 404);
  dataOf(await put(client, iconOf(other), await small()));
  const { icon: third } = dataOf(await put(client, iconOf(other), await small('blue')));
  await world.tidy();
  const stored = storedIn(world.folder);
  for (const address of [banner, icon])
    assert.ok(!stored.some((name) => address.includes(name.slice(0, 36))));
  assert.equal((await get(third)).status, 200);
  await put(client, iconOf(other), plainBytes(1));
  assert.equal((await get(third)).status, 200, 'a rejected upload does not remove the current one');
});

test('only callers who can change a server can upload its images, and only images up to a maximum size are accepted', async () => {
  const viewer = await world.client(server, ['canEditData']);
  const foreign = await world.client(await world.server(await world.user()), ['canAdmin']);
  for (const client of [viewer, foreign])
    assertRefused(await put(client, iconOf(server), await small()), 'FORBIDDEN');
  for (const bytes of [
    plainBytes(),
    Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
    Buffer.from('%PDF-1.7'),
    png(50_000, 50_000),
    Buffer.alloc(0),
    (await small()).subarray(0, 60),
  ])
    assertRefused(await put(admin, iconOf(server), bytes), 'INVALID_REQUEST', 'not an image', 'file');
  assertRefused(
    await put(admin, iconOf(server), Buffer.alloc(5_000_001)),
    'INVALID_REQUEST',
    'large',
    'file',
  );
  assertRefused(await put(admin, iconOf({ id: 'none' }), await small()), 'NOT_FOUND');
  // The image exceeds the quota of one megabyte.
  const noise = await photo(1200, 900).png().toBuffer();
  assert.ok(noise.length > 1_000_000 && noise.length < 5_000_000);
  assertRefused(await put(admin, iconOf(server), noise), 'INVALID_REQUEST');
  // A record cannot refer to another record's image, because both would be deleted together.
  const { icon } = dataOf(await put(admin, iconOf(server), await small()));
  assertRefused(await foreign.patch(`/servers/${foreign.secret.serverId}`, { icon }), 'INVALID_REQUEST');
});

test('an agent and a person have their own picture, which they can replace and remove', async () => {
  const path = '/users/me/image';
  const bot = await world.client(server, ['canViewData']);
  const { image } = dataOf(await put(bot, path, await small()));
  assert.equal(dataOf(await admin.get(`/users/${bot.secret.userId}`)).image, image);
  assert.equal((await get(image)).status, 200);
  const user = await world.user();
  const browser = await Browser.of(world, user);
  const form = new FormData();
  form.append('file', new Blob([await small('green')]), 'me.png');
  const sent = await fetch(`${world.url}/api/v1${path}`, {
    method: 'POST',
    headers: { cookie: browser.cookie, 'palaver-server': 'none' },
    body: form,
  });
  const made: Json = await sent.json();
  assert.equal(sent.status, 200, JSON.stringify(made));
  assert.equal(dataOf(await browser.get('/me')).image, made.data.image);
  assert.equal(dataOf(await browser.api.delete(path)).image, null);
  assert.equal(dataOf(await browser.api.delete(path)).image, null);
  assert.equal((await get(made.data.image)).status, 404);
  // Only one of several concurrent uploads remains.
  const bytes = await small();
  const all = await Promise.all([1, 2, 3].map(() => put(bot, path, bytes)));
  for (const answer of all) dataOf(answer);
  const left = await world.data.db.read.all(
    q.selectFrom('picture').select('address').where('creatorId', '=', bot.secret.userId),
  );
  assert.deepEqual(left, [{ address: dataOf(await bot.get('/users/me')).image }]);
});

test('a repeated upload returns the first response, and one image remains', async () => {
  const once = { 'idempotency-key': 'icon-1' };
  const [first, again] = [
    dataOf(await put(admin, iconOf(server), await small(), once)),
    dataOf(await put(admin, iconOf(server), await small(), once)),
  ];
  assert.equal(again.icon, first.icon);
  await world.tidy();
  const rows = await world.data.db.read.all(q.selectFrom('picture').select('id'));
  assert.equal(storedIn(world.folder).filter((name) => !name.includes('.')).length, rows.length);
});
