// @run sqlite: copies the data file
import assert from 'node:assert/strict';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { EventStream } from '../support/eventStream.ts';
import { call, type Running, Stage } from '../support/process.ts';
import { jsonOf } from '../support/remote.ts';
import type { Json } from '../support/world.ts';

const stage = new Stage();
after(() => stage.close());

/** A server restarted on a folder, with the key and channel from its first run. */
interface Site {
  running: Running;
  key: string;
  channelId: string;
}

const send = (site: Site, content: string) =>
  call(site.running, 'POST', '/api/v1/messages', {
    key: site.key,
    body: { channelId: site.channelId, content },
  });

async function eventsAfter({ running, key }: Site, cursor?: string): Promise<Json> {
  const path = `/api/v1/events?limit=100${cursor ? `&after=${cursor}` : ''}`;
  return (await call(running, 'GET', path, { key })).body;
}

const contents = (body: Json): string[] => body.data.map(({ data }: Json) => data.content);

for (const how of ['restore', 'a copy'] as const) {
  test(`after ${how}, cursors from before the backup still work, and cursors from after it are rejected`, async () => {
    const folder = stage.folder();
    const running = await stage.start(folder);
    const site: Site = { running, key: running.key, channelId: running.channelId };
    await send(site, 'kept');
    const shared = (await eventsAfter(site)).nextCursor;
    const backup = join(stage.folder(), 'backup.db');
    jsonOf(await stage.run(['backup', backup, '--data', folder, '--json']));
    for (const content of ['lost 1', 'lost 2']) await send(site, content);
    const ids = (await eventsAfter(site)).data.map(({ id }: Json) => id);
    const lost = ids.at(-1) as string;
    await running.end('SIGTERM');

    const restored = join(stage.folder(), 'restored');
    await stage.run(['restore', backup, '--data', restored]);
    // A common mistake: copying only the database file over the existing one.
    if (how === 'a copy') cpSync(join(restored, 'palaver.db'), join(folder, 'palaver.db'));
    site.running = await stage.start(how === 'a copy' ? folder : restored);
    for (const content of ['new 1', 'new 2', 'new 3']) await send(site, content);

    assert.deepEqual(contents(await eventsAfter(site, shared)), ['new 1', 'new 2', 'new 3']);
    const refused = await eventsAfter(site, lost);
    assert.equal(refused.error?.code, 'INVALID_REQUEST');
    assert.match(refused.error.message, /does not belong to this data/);
    const all = await eventsAfter(site);
    assert.deepEqual(
      all.data.slice(0, ids.length - 2).map(({ id }: Json) => id),
      ids.slice(0, -2),
      'older events keep their ids',
    );
    const stream = await EventStream.open(site.running, site.key, {}, { 'last-event-id': lost });
    await send(site, 'new 4');
    await stream.event(({ data }) => data.content === 'new 4');
    assert.equal(stream.blocks.find(({ event }) => event)?.data.reason, 'unknown');
    assert.deepEqual(stream.events.length, 1);
    stream.close();
  });
}
