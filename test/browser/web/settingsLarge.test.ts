import assert from 'node:assert/strict';

import type { Page } from 'playwright-core';
import { violationsIn } from '../../support/axe.ts';
import { after, before, test } from '../../support/browser.ts';
import { go } from '../../support/everyPage.ts';
import { made, PanelScene } from '../../support/panelScene.ts';
import { until } from '../../support/process.ts';
import { WebClient, withoutWorker } from '../../support/webClient.ts';
import type { Json } from '../../support/world.ts';

/** The number of roles. Creating them causes more events than the audit log loads at first. */
const ROLES = 560;
/** The number of concurrent requests. */
const AT_ONCE = 40;

let scene: PanelScene;
before(async () => {
  scene = await PanelScene.open(await WebClient.open());
  await made(scene.asBen.post('/invites', { serverId: scene.server.id }));
  await many(ROLES, (at) =>
    made(
      scene.asAda.post('/roles', {
        serverId: scene.server.id,
        name: `Role ${String(at).padStart(3, '0')}`,
      }),
    ),
  );
});
after(() => scene?.client.close());

const many = async (amount: number, make: (at: number) => Promise<unknown>) => {
  for (let first = 0; first < amount; first += AT_ONCE)
    await Promise.all(Array.from({ length: Math.min(AT_ONCE, amount - first) }, (_, at) => make(first + at)));
};
const look = (section: string) =>
  scene.client.signedIn(scene.ada, `/s/${scene.server.id}/settings/${section}`, {
    ...withoutWorker,
    viewport: { width: 1280, height: 800 },
  });

test('the audit log starts with the latest change, says how far back it goes, and exports everything', async () => {
  await made(scene.asAda.post('/roles', { serverId: scene.server.id, name: 'The latest' }));
  const page = await look('audit');
  const rows = page.getByRole('list', { name: 'Audit log' }).getByRole('listitem');
  await rows.first().getByText('The latest').waitFor();
  await page.getByText("Older entries aren't loaded yet.").waitFor();
  await page.getByLabel('Type').selectOption({ label: 'Channels' });
  await rows.getByText(scene.channel.name).waitFor();
  await page.getByLabel('Type').selectOption({ label: 'All changes' });
  await rows.first().getByText('The latest').waitFor();
  await page.getByRole('button', { name: 'Export' }).click();
  // The rate limit interrupts the export, which then continues.
  let refusals = 0;
  await page.route(/\/api\/v1\/events\?/, (route) =>
    refusals++ > 0
      ? route.fallback()
      : route.fulfill({
          ...{ status: 429, headers: { 'retry-after': '1' } },
          json: { ok: false, error: { code: 'RATE_LIMITED', message: 'too many requests' } },
        }),
  );
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: 'CSV' }).click(),
  ]);
  const chunks: Buffer[] = [];
  for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer);
  const lines = Buffer.concat(chunks).toString().trim().split('\r\n');
  assert.ok(lines.length > ROLES, `${lines.length} lines`);
  assert.match(lines[1] ?? '', /role\.created.*The latest/);
  assert.match(lines.at(-1) ?? '', /server\.created/);
  // The export also has names for invites whose events are far back.
  assert.match(lines.find((line) => line.includes('invite.created')) ?? '', /,Ben Bitdiddle,/);
  assert.ok(refusals > 1);
  await page.context().close();
});

test('the audit log and usage continue reading when a page of the log has no match', async () => {
  const page = await look('overview');
  let isEmpty = true;
  await page.route(/\/api\/v1\/events\?/, (route) =>
    isEmpty
      ? route.fulfill({
          headers: { link: '</api/v1/events?before=2>; rel="next"' },
          json: { ok: true, data: [], nextCursor: 'latest' },
        })
      : route.fallback(),
  );
  await go(page, `/s/${scene.server.id}/settings/audit`);
  await page.getByText('No matches so far.').waitFor();
  assert.equal(await page.getByText('No changes found').count(), 0);
  assert.ok(await page.getByRole('button', { name: 'Export' }).isEnabled());
  isEmpty = false;
  await page.getByRole('button', { name: 'Show more' }).click();
  await page.getByRole('list', { name: 'Audit log' }).getByText('The latest').waitFor();
  isEmpty = true;
  await go(page, `/s/${scene.server.id}/settings/usage`);
  await page.getByText('No messages found so far.').waitFor();
  assert.equal(await page.getByText('No messages in this period').count(), 0);
  isEmpty = false;
  await page.getByRole('button', { name: 'Load more' }).click();
  await page.getByText('Messages and thread replies from the last 30 days').waitFor();
  await page.context().close();
});

test('usage reads no further back than its chart', async () => {
  const page = await look('overview');
  let reads = 0;
  await page.route(/\/api\/v1\/events\?/, (route) => {
    reads++;
    return route.fulfill({
      headers: { link: '</api/v1/events?before=2>; rel="next"' },
      json: {
        ...{ ok: true, nextCursor: '2' },
        data: [{ type: 'message.created', at: Date.now() - 40 * 86_400_000, data: {} }],
      },
    });
  });
  await go(page, `/s/${scene.server.id}/settings/usage`);
  await page.getByText('No messages in this period').waitFor();
  assert.equal(await page.getByRole('button', { name: 'Load more' }).count(), 0);
  assert.equal(reads, 1);
  await page.context().close();
});

const listed = (page: Page, name: string) => page.getByRole('list', { name }).getByRole('listitem');

test('searches cover whole lists, which render in steps', async () => {
  const { asAda, ada, server } = scene;
  await many(130, (at) =>
    made(
      asAda.post('/secrets', {
        ...{ serverId: server.id, kind: 'apiKey', userId: ada.id },
        name: `Key ${String(at).padStart(3, '0')} für Émile`,
      }),
    ),
  );
  await many(30, () => made(asAda.post('/invites', { serverId: server.id })));

  const keys = await look('keys');
  await keys.getByRole('searchbox').fill('emile 000');
  await listed(keys, 'API keys').getByText('Key 000 für Émile').waitFor();
  assert.equal(await listed(keys, 'API keys').count(), 1, 'even on the second page');
  await keys.getByRole('status').getByText('1 result').waitFor();
  await keys.getByRole('searchbox').fill('nobody has this');
  await keys.getByText('No results').first().waitFor();
  await keys.getByRole('status').getByText('No results').waitFor();
  assert.deepEqual(await violationsIn(keys), []);

  await go(keys, `/s/${server.id}/settings/invites`);
  await listed(keys, 'Invites').nth(20).waitFor();
  await keys.getByRole('searchbox').fill(ada.username);
  await listed(keys, 'Invites').nth(20).waitFor();

  await many(14, (at) => scene.client.world.flow(server, `Flow ${at}`));
  await go(keys, `/s/${server.id}/settings/flows`);
  await keys.getByRole('searchbox').fill('flow 13');
  await until(async () => (await listed(keys, 'Flows').count()) === 1);

  await go(keys, `/s/${server.id}/settings/usage`);
  await keys.getByText('No requests in the last 24 hours.').waitFor();
  const used = keys.getByRole('table', { name: 'API keys' }).getByRole('rowheader');
  await used.nth(99).waitFor();
  assert.equal(await used.count(), 100);
  await keys.getByRole('button', { name: 'Show more' }).click();
  await used.nth(129).waitFor();

  await go(keys, `/s/${server.id}/settings/roles`);
  await keys.getByRole('searchbox').fill('role 555');
  await keys.getByRole('columnheader', { name: 'Role 555' }).waitFor();
  await until(async () => (await keys.getByRole('columnheader').count()) === 1);
  await keys.getByRole('searchbox').fill('');
  await keys.getByRole('button', { name: /Show more \(24 of/ }).waitFor();
  await keys.context().close();
});

test('a long channel list is searched, rendered in steps, and reordered', async () => {
  const { asAda, server } = scene;
  await many(120, (at) =>
    made(asAda.post('/channels', { serverId: server.id, name: `room-${String(at).padStart(3, '0')}` })),
  );
  const page = await look('channels');
  await listed(page, 'Channels').nth(99).waitFor();
  assert.equal(await listed(page, 'Channels').count(), 100);
  await page.getByRole('button', { name: 'Show more (100 of 121 shown)' }).click();
  await listed(page, 'Channels').nth(120).waitFor();
  // A new search shows only the first 100 matches.
  await page.getByRole('searchbox').fill('room');
  await until(async () => (await listed(page, 'Channels').count()) === 100);
  await page.getByRole('searchbox').fill('room-119');
  await until(async () => (await listed(page, 'Channels').count()) === 1);
  await page.getByRole('button', { name: 'Actions for room-119' }).click();
  assert.equal(await page.getByRole('menuitem', { name: 'Move up' }).count(), 0);
  await page.getByRole('menuitem', { name: 'Move to the top' }).click();
  await page.getByRole('searchbox').fill('');
  await listed(page, 'Channels').first().getByText('room-119').waitFor();
  await until(async () => {
    const channels = (await asAda.get(`/servers/${server.id}/channels?limit=100`)).data as Json[];
    return channels[0].name === 'room-119';
  });
  // Dragging a channel to the lower edge scrolls the list. Escape cancels the move.
  const handle = await page.getByRole('button', { name: 'Move room-119' }).boundingBox();
  assert.ok(handle);
  await page.mouse.move(handle.x + 5, handle.y + 5);
  await page.mouse.down();
  await page.mouse.move(handle.x + 5, 795, { steps: 3 });
  await until(
    async () => (await page.evaluate<number>("document.querySelector('.sections-main').scrollTop")) > 500,
  );
  await page.locator('.setting-channel-row-after').waitFor();
  await page.keyboard.press('Escape');
  await page.locator('.setting-channel-row-after').waitFor({ state: 'detached' });
  await page.mouse.up();
  await listed(page, 'Channels').first().getByText('room-119').waitFor();
  await page.context().close();
});

test('the page reports no error', () => scene.client.assertSound());
