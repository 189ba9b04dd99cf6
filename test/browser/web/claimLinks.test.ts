import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { Browser } from '../../support/account.ts';
import { violationsIn } from '../../support/axe.ts';
import { after, afterEach, before, test } from '../../support/browser.ts';
import { addRows } from '../../support/crowds.ts';
import { dataOf } from '../../support/expect.ts';
import { insert } from '../../support/sources.ts';
import { WebClient } from '../../support/webClient.ts';
import type { Json } from '../../support/world.ts';

// The links with which imported people claim their messages, created by a platform admin.

let client: WebClient;
let root: Json;
let server: Json;
let channel: Json;
const people: Json[] = [];
before(async () => {
  client = await WebClient.open();
  const { world } = client;
  root = await world.user({ name: 'Root', platformAdmin: true });
  server = await world.server(root, 'Harbour');
  const admin = await world.client(server, ['canAdmin'], root);
  channel = dataOf(await admin.post('/channels', { name: 'pier' }));
  for (const name of ['Grace Hopper', '=cmd|"calc"!A1', 'Linus']) people.push(await imported(name));
  const importRow = {
    ...{
      id: people[0]?.id,
      createdAt: Date.now(),
      updatedAt: Date.now(),
      creatorId: root.id,
      source: 'slack',
    },
    ...{ serverId: server.id, newServer: null, ownerId: null, name: 'slack.zip', bytes: 1, received: 1 },
    ...{ sha256: null, state: 'done', isDryRun: false, rows: 3, totalRows: 3, planned: null, report: null },
    ...{ failure: null, log: [] },
  };
  await world.data.db.write((tx) => tx.run(insert('import', importRow as never)));
});
afterEach(() => client.surfer.close());
after(async () => {
  await client?.close();
});

async function imported(name: string): Promise<Json> {
  const user = await client.world.user({ name });
  await client.world.member(server, user);
  const times = { createdAt: 1, updatedAt: 1, claimedAt: null, mergedAt: null, place: null, serverIds: [] };
  await addRows(client.world, 'placeholder', [
    { id: user.id, email: null, source: 'slack', accountId: null, ...times },
  ]);
  return user;
}

const usernameOf = async (address = ''): Promise<string> => {
  const token = address.split('#')[1];
  return dataOf(await new Browser(client.world).post('/links/look', { token })).username;
};

const rowsIn = (page: Page) =>
  page.getByRole('dialog').getByRole('list', { name: 'Claim links' }).getByRole('listitem');

test("a platform admin copies a person's link from an import's page", async () => {
  const page = await client.signedIn(root, '/platform/imports', {
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  await page.getByRole('button', { name: 'Claim links for Slack, slack.zip' }).press('Enter');
  await rowsIn(page).nth(2).waitFor();
  await page.getByRole('searchbox', { name: 'Search by username or name' }).fill('grace');
  await page.getByRole('dialog').getByText('Linus').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Copy link for Grace Hopper' }).press('Enter');
  await page.getByText('Link for Grace Hopper copied.').first().waitFor();
  const copied = await page.evaluate<string>('navigator.clipboard.readText()');
  assert.ok(copied.startsWith(`${client.url}/welcome#link_plv_`), copied);
  assert.equal(await usernameOf(copied), people[0]?.username);
  await page.getByRole('dialog').getByText(copied).waitFor();
  await page.getByRole('button', { name: 'Copy link for Grace Hopper' }).click();
  assert.equal(await usernameOf(copied), people[0]?.username, 'copying again keeps the link');
  assert.deepEqual(await violationsIn(page), []);
  client.assertSound();
});

test("all of a server's links are downloaded as a spreadsheet in which no formula runs", async () => {
  const page = await client.signedIn(root, `/s/${server.id}/settings/members`);
  await page.getByText('Not claimed yet').nth(2).waitFor();
  await page.getByRole('button', { name: 'Claim links' }).click();
  await rowsIn(page).nth(2).waitFor();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download links as CSV' }).click(),
  ]);
  assert.equal(download.suggestedFilename(), 'claim-links.csv');
  const lines = readFileSync((await download.path()) ?? '', 'utf8').split('\r\n');
  assert.deepEqual([lines[0], lines.length, lines[4]], ['"username","name","link","expires"', 5, '']);
  assert.ok(lines[2]?.includes(`,"'=cmd|""calc""!A1",`), `${lines[2]}`);
  for (const [index, person] of people.toReversed().entries()) {
    const [, address = ''] = /"(http[^"]*)"/.exec(lines[index + 1] ?? '') ?? [];
    assert.equal(await usernameOf(address), person.username);
  }
  client.assertSound();
});

test('only platform admins are offered links, and members see who is not claimed', async () => {
  const ada = await client.world.user({ name: 'Ada' });
  await client.world.member(server, ada);
  const page = await client.signedIn(ada, `/s/${server.id}/settings/members`);
  await page.getByText('Not claimed yet').first().waitFor();
  assert.equal(await page.getByRole('button', { name: 'Claim links' }).count(), 0);
  await page.goto(`/s/${server.id}/c/${channel.id}`);
  await page.getByRole('button', { name: 'Members', exact: true }).click();
  const panel = page.getByRole('button', { name: /Linus/ });
  await panel.getByText('Not claimed yet').waitFor();
  await panel.click();
  await page.getByText('This person was imported, and no one has claimed them yet.').waitFor();
  client.assertSound();
});

test('a person who has been claimed in the meantime gets no link', async () => {
  const late = await imported('Radia');
  const page = await client.signedIn(root, '/platform/imports');
  await page.getByRole('button', { name: 'Claim links for Slack, slack.zip' }).click();
  await page.getByRole('button', { name: 'Copy link for Radia' }).waitFor();
  await Browser.claimed(client.world, late);
  await page.getByRole('button', { name: 'Copy link for Radia' }).click();
  await page.getByText('Someone has already claimed Radia.').first().waitFor();
  await page.getByRole('button', { name: 'Copy link for Radia' }).waitFor({ state: 'detached' });
  client.assertSound();
});
