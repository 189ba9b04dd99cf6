import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Drafts } from '../../../web/replica/drafts.ts';
import { keptInMemory } from '../../../web/replica/kept.ts';
import { Marks } from '../../../web/replica/marks.ts';
import type { Api } from '../../../web/replica/types.ts';

const place = { serverId: 'server', channelId: 'channel' };

test('a draft that is too long, or typed without a connection, stays in the browser and is not sent', async () => {
  const sent: string[] = [];
  let isLost = true;
  const api = (() => ({
    draftSave: async ({ content }: { content: string }) => {
      sent.push(content);
      return { draft: { id: '1', ...place, threadId: null, content, updatedAt: sent.length } };
    },
  })) as unknown as Api;
  const kept = keptInMemory();
  const around = { now: () => 0, after: () => () => {}, random: () => 0, id: () => '' };
  const common = { api, kept, around, changed: () => {}, doubt: () => {}, marks: new Marks() };
  const drafts = new Drafts({ ...common, isLost: () => isLost });
  drafts.save(place, 'short');
  drafts.flush();
  assert.equal(sent.length, 0);
  isLost = false;
  drafts.flush();
  await new Promise(setImmediate);
  assert.deepEqual(sent, ['short']);
  drafts.save(place, 'x'.repeat(8_001));
  drafts.flush();
  // Code points count, as on the server.
  drafts.save({ serverId: 'server', channelId: 'other' }, '🎉'.repeat(8_000));
  drafts.flush();
  assert.deepEqual([sent.length, sent.at(-1)?.length], [2, 16_000]);
  assert.equal(drafts.get('channel').content.length, 8_001);
});
