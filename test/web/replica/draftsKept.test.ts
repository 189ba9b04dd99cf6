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

/** A draft in this browser, the server's responses to its requests, and the number of pending saves. */
function stage(ask: (content: string) => unknown) {
  let pending = 0;
  const kept = keptInMemory();
  const after = (ms: number) => {
    if (ms === 1_000) pending++;
    return () => {};
  };
  const changes: string[] = [];
  const drafts = new Drafts({
    ...{ kept, marks: new Marks(), changed: (key: string) => changes.push(key), doubt: () => {} },
    around: { now: () => 0, after, random: () => 0, id: () => '' },
    api: (() => ({
      draftSave: async ({ content }: { content: string }) => ask(content),
    })) as unknown as Api,
  });
  /** Sends the draft, and returns the number of retries scheduled by the response. */
  const flush = async () => {
    pending = 0;
    drafts.flush();
    await new Promise(setImmediate);
    return pending;
  };
  return { drafts, kept, changes, flush };
}

test('a draft is saved again later if the server is unreachable or limits requests, and not if it is rejected', async () => {
  for (const [status, retries, isSaved] of [
    [0, 1, false],
    [399, 1, false],
    [400, 0, false],
    [403, 0, true],
    [404, 0, true],
    [429, 1, false],
    [499, 0, false],
    [500, 1, false],
  ] as const) {
    const { drafts, flush } = stage(() => {
      throw Object.assign(new Error('refused'), { status });
    });
    drafts.save(place, 'text');
    assert.equal(await flush(), retries, `${status}`);
    assert.deepEqual(
      [drafts.get('channel').content, drafts.get('channel').isSaved],
      ['text', isSaved],
      `${status}`,
    );
  }
});

test('a rejected draft that the user has continued to type is saved later', async () => {
  const { drafts, flush } = stage(() => {
    drafts.save(place, 'longer text');
    throw Object.assign(new Error('refused'), { status: 400 });
  });
  drafts.save(place, 'text');
  assert.equal(await flush(), 2, 'for the text typed during the request, and after the response');
});

test('the same draft changes nothing, and another reply target does', () => {
  const { drafts, changes } = stage(() => {});
  drafts.save(place, 'text');
  drafts.save(place, 'text');
  assert.deepEqual(changes, ['draft:channel']);
  drafts.save(place, 'text', 'message');
  assert.deepEqual([changes.length, drafts.get('channel').replyToId], [2, 'message']);
});

test('a draft emptied by sending its message is stored at once, so it does not come back', async () => {
  const { drafts, kept } = stage(() => {});
  const stored = async () => ((await kept.all('draft')) as { content: string }[]).map((row) => row.content);
  drafts.save(place, 'text');
  assert.deepEqual(await stored(), []);
  drafts.keep();
  assert.deepEqual(await stored(), ['text']);
  drafts.save(place, '');
  assert.deepEqual(await stored(), ['']);
});
