// @run sqlite: tests the cache in memory
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PageCache } from '../../server/src/db/pageCache.ts';

const BYTES = 100_000;

/** Gets a page of this size from the cache, and returns whether it had to be loaded. */
async function read(
  cache: PageCache,
  channelId: string,
  { tenant = 'one', name = 'latest', bytes = 9_000 } = {},
) {
  let isRead = false;
  const page = await cache.page(tenant, channelId, name, async () => {
    isRead = true;
    return { json: new Uint8Array(bytes), next: null };
  });
  return { isRead, page };
}

test('a page is read once, until a message in its channel changes', async () => {
  const cache = new PageCache(BYTES);
  assert.ok((await read(cache, 'a')).isRead);
  assert.ok((await read(cache, 'b')).isRead);
  assert.ok(!(await read(cache, 'a')).isRead);
  assert.ok((await read(cache, 'a', { name: 'other' })).isRead, 'another page of the same channel');
  cache.changed('a');
  assert.ok((await read(cache, 'a')).isRead);
  assert.ok((await read(cache, 'a', { name: 'other' })).isRead);
  assert.ok(!(await read(cache, 'b')).isRead);
  cache.clear();
  assert.equal(cache.bytes, 0);
  assert.ok((await read(cache, 'b')).isRead);
});

test('a page is not cached if a message changed while it was read', async () => {
  for (const change of [(cache: PageCache) => cache.changed('a'), (cache: PageCache) => cache.clear()]) {
    const cache = new PageCache(BYTES);
    const { promise, resolve } = Promise.withResolvers<{ json: Uint8Array; next: null }>();
    const reading = cache.page('one', 'a', 'latest', () => promise);
    const other = cache.page('one', 'b', 'latest', async () => ({ json: new Uint8Array(1), next: null }));
    await other;
    change(cache);
    resolve({ json: new Uint8Array(1), next: null });
    await reading;
    assert.ok((await read(cache, 'a')).isRead);
    assert.ok(!(await read(cache, 'a')).isRead);
  }
});

test('a failed read is not cached, but the next one is', async () => {
  const cache = new PageCache(BYTES);
  const failing = cache.page('one', 'a', 'latest', () => Promise.reject(new Error('no')));
  await assert.rejects(failing, /no/);
  assert.ok((await read(cache, 'a')).isRead);
  assert.ok(!(await read(cache, 'a')).isRead);
});

test("derived values count, including against the tenant's share, until the page is dropped", async () => {
  const cache = new PageCache(BYTES);
  const { page } = await read(cache, 'a');
  assert.equal(cache.bytes, 10_000);
  assert.equal(page.keep('gzip', 'text', 5_000), 'text');
  assert.equal(page.derived('gzip'), 'text');
  assert.equal(cache.bytes, 15_000);
  cache.changed('a');
  page.keep('zstd', 'text', 5_000);
  assert.equal(cache.bytes, 0);
  const { page: large } = await read(cache, 'a');
  large.keep('gzip', 'text', BYTES);
  assert.equal(cache.bytes, 0, 'pages beyond the share are not cached');
});

test('one tenant uses at most half of the cache, and all tenants together at most the maximum', async () => {
  const cache = new PageCache(BYTES);
  for (let channel = 0; channel < 100; channel++) {
    await read(cache, `one ${channel}`);
    assert.ok(cache.bytes <= BYTES / 2);
  }
  for (let tenant = 0; tenant < 20; tenant++) {
    await read(cache, `other ${tenant}`, { tenant: `tenant ${tenant}` });
    assert.ok(cache.bytes <= BYTES);
  }
  assert.ok(cache.bytes > BYTES * 0.85);
  assert.ok(!(await read(cache, 'other 19', { tenant: 'tenant 19' })).isRead);
});

test('unused pages are evicted before used ones', async () => {
  const cache = new PageCache(BYTES);
  for (let channel = 0; channel < 5; channel++) await read(cache, `${channel}`);
  await read(cache, '0');
  await read(cache, 'next');
  assert.ok(!(await read(cache, '0')).isRead);
  assert.ok((await read(cache, '1')).isRead);
});

test('pages of more than 256 KB are not cached', async () => {
  const cache = new PageCache(10_000_000);
  await read(cache, 'a', { bytes: 256 * 1024 + 1 });
  assert.equal(cache.bytes, 0);
  await read(cache, 'a', { bytes: 256 * 1024 });
  assert.ok(cache.bytes > 0);
});
