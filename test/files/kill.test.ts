import assert from 'node:assert/strict';
import { utimesSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { call, type Running, Stage, until } from '../support/process.ts';
import { arrivingIn, content, plainBytes, storedIn, upload } from '../support/uploads.ts';
import { type Json, TestClock, World } from '../support/world.ts';

const ROUNDS = 3;
const SENDERS = 4;
const BYTES = 400_000;

const stage = new Stage();
after(() => stage.close());

/** Uploads until the server is gone. Records what was acknowledged. */
async function uploadAll(server: Running, acknowledged: Json[]): Promise<void> {
  for (let number = 0; ; number++) {
    const bytes = plainBytes(BYTES);
    bytes.writeUInt32BE(acknowledged.length + number, 0);
    const answer = await upload(server as never, server, bytes).catch(() => undefined);
    if (!answer) return;
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    acknowledged.push({ id: answer.data.id, bytes });
  }
}

test(`${ROUNDS} kills during uploads: acknowledged files are complete, and nothing else is left`, async () => {
  const folder = stage.folder();
  const environment = { PALAVER_UPLOADS_PER_USER: '100' };
  const kept: Json[] = [];
  let server = await stage.start(folder, { environment });
  const { key, channelId } = server;
  for (let round = 0; round < ROUNDS; round++) {
    const acknowledged: Json[] = [];
    const running = { ...server, key } as Running;
    const senders = Array.from({ length: SENDERS }, () => uploadAll(running, acknowledged));
    await until(() => acknowledged.length > SENDERS && arrivingIn(folder).length > 0, 60_000, 1);
    await server.end('SIGKILL');
    await Promise.all(senders);
    server = await stage.start(folder, { environment });
    for (const { id, bytes } of acknowledged) {
      const given = await content(server, { key }, id);
      assert.deepEqual([given.status, given.bytes.equals(bytes)], [200, true]);
    }
    for (const { id } of acknowledged.slice(0, 3)) {
      const body = { channelId, content: 'See', attachmentIds: [id] };
      assert.equal((await call(server, 'POST', '/api/v1/messages', { key, body })).status, 200);
      kept.push(id);
    }
  }
  await server.end();
  assert.ok(storedIn(folder).length > kept.length);
  const hour = new Date(Date.now() - 3_700_000);
  for (const name of arrivingIn(folder)) utimesSync(join(folder, 'files', 'incoming', name), hour, hour);
  // Advances the clock by more than a day.
  const world = await World.open({ place: await stage.place(folder), clock: new TestClock() });
  await world.tidy();
  assert.deepEqual(storedIn(folder), kept.sort());
  await world.close();
});
