import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import sharp from 'sharp';
import { clientOf } from '../../server/src/files/s3.ts';
import { Bucket } from '../support/bucket.ts';
import { assertRefused, dataOf } from '../support/expect.ts';
import { find, q } from '../support/sources.ts';
import { arrivingIn, content, plainBytes, storedIn, upload } from '../support/uploads.ts';
import { type Client, type Json, World } from '../support/world.ts';

// Files in a bucket of an S3-compatible service, which runs in this process.

let bucket: Bucket;
let world: World;
let admin: Client;
let channel: Json;
before(async () => {
  bucket = await Bucket.open();
  world = await World.open({ settings: bucket.settings });
  const owner = await world.user();
  admin = await world.client(await world.server(owner), ['canAdmin'], owner);
  channel = dataOf(await admin.post('/channels', { name: 'files' }));
});
after(async () => {
  await world.close();
  await bucket.close();
});

const send = (id: string) =>
  admin.post('/messages', { channelId: channel.id, content: 'See here', attachmentIds: [id] });

test('files and previews are stored in the bucket, served whole and in ranges, and deleted from it', async () => {
  const picture = await sharp({ create: { width: 1000, height: 500, channels: 3, background: 'red' } })
    .png()
    .toBuffer();
  const made = dataOf(await upload(world, admin, Buffer.from(picture), 'picture.png'));
  const bytes = plainBytes(3_000_000);
  bytes.set([1, 2, 3], 2_000_000);
  const file = dataOf(await upload(world, admin, bytes, 'notes.txt'));
  const { id: messageId } = dataOf(await send(file.id));
  assert.deepEqual(storedIn(world.folder), [], 'nothing is left on this machine');
  const whole = await content(world, admin, file.id);
  assert.deepEqual([whole.status, whole.bytes.equals(bytes)], [200, true]);
  const part = await content(world, admin, file.id, { headers: { range: 'bytes=2000000-2000002' } });
  assert.deepEqual([part.status, [...part.bytes]], [206, [1, 2, 3]]);
  assert.deepEqual(made.previews, ['small']);
  const preview = await content(world, admin, made.id, { query: '?preview=small' });
  assert.equal((await sharp(preview.bytes).metadata()).width, 480);
  dataOf(await admin.delete(`/messages/${messageId}`));
  dataOf(await admin.delete(`/attachments/${made.id}`));
  await world.tidy();
  const store = await world.data.files.store;
  for (const key of [file.id, made.id, `${made.id}.small`])
    assert.equal(await store.sizeOf(key), undefined, key);
});

test('while the service is down, uploads and downloads fail clearly and nothing is lost; it is used again once it is up', async () => {
  const kept = dataOf(await upload(world, admin));
  const gone = dataOf(await upload(world, admin));
  dataOf(await send(kept.id));
  await bucket.down();
  for (const answer of [await upload(world, admin), await admin.get(`/attachments/${kept.id}/content`)]) {
    assert.deepEqual([answer.status, answer.body.error.code], [503, 'INTERNAL_ERROR']);
    assert.equal(answer.headers.get('retry-after'), '5');
    assert.match(answer.body.error.message, /^file storage is temporarily unavailable/);
  }
  assert.deepEqual(arrivingIn(world.folder), []);
  // Requests without a file still work.
  assert.ok(dataOf(await admin.get(`/channels/${channel.id}/messages`))[0].attachments);
  dataOf(await admin.delete(`/attachments/${gone.id}`));
  await world.tidy();
  const failed = await world.data.db.read.first(find('failure', { item: `files:${gone.id}` }));
  assert.match(failed?.reason ?? '', /cannot be reached/);
  assert.ok(await world.data.db.read.first(find('fileRemoval', { id: gone.id })));
  await bucket.up();
  assert.equal((await content(world, admin, kept.id)).status, 200);
  dataOf(await upload(world, admin));
  // Makes the retry due.
  await world.data.db.write((tx) => tx.run(q.updateTable('failure').set({ nextAt: 0 })));
  await world.tidy();
  assert.equal(await world.data.db.read.first(find('failure', { item: `files:${gone.id}` })), undefined);
  assert.equal(await (await world.data.files.store).sizeOf(gone.id), undefined);
  const left = await world.data.db.read.all(q.selectFrom('fileRemoval').selectAll().where('dueAt', '=', 0));
  assert.deepEqual(left, []);
});

test('a file missing in the bucket returns NOT_FOUND, and a rejected key is a server error', async () => {
  const file = dataOf(await upload(world, admin));
  await (await world.data.files.store).remove(file.id);
  assertRefused(await admin.get(`/attachments/${file.id}/content`), 'NOT_FOUND');
  const other = await World.open({ settings: { ...bucket.settings, filesKey: 'unknown:secret' } });
  const client = await other.client(await other.server(await other.user()), ['canAdmin']);
  const refused = await upload(other, client);
  assert.deepEqual([refused.status, refused.body.error.code], [503, 'INTERNAL_ERROR']);
  assert.ok(!JSON.stringify(refused.body).includes('127.0.0.1'), 'the location is not revealed');
  await other.close();
});

test("requests are signed like Amazon's examples", async () => {
  // docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html. The examples' key is
  // concatenated because scanners look for such keys.
  const client = await clientOf({
    region: 'us-east-1',
    accessKeyId: ['AKIA', 'IOSFODNN7', 'EXAMPLE'].join(''),
    secretAccessKey: ['wJalrXUtnFEMI', 'K7MDENG', 'bPxRfiCYEXAMPLEKEY'].join('/'),
  });
  const datetime = '20130524T000000Z';
  const empty = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
  const at = 'https://examplebucket.s3.amazonaws.com';
  const signature = async (path: string, headers: Record<string, string>) => {
    const { headers: signed } = await client.sign(`${at}${path}`, {
      headers: { 'x-amz-content-sha256': empty, ...headers },
      aws: { datetime, allHeaders: true },
    });
    return /Signature=(\w+)$/.exec(signed.get('authorization') ?? '')?.[1];
  };
  assert.equal(
    await signature('/test.txt', { range: 'bytes=0-9' }),
    'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
  );
  assert.equal(
    await signature('/?lifecycle', {}),
    'fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543',
  );
  assert.equal(
    await signature('/?max-keys=2&prefix=J', {}),
    '34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7',
  );
});
