import assert from 'node:assert/strict';
import { Browser, giveAccount } from '../../support/account.ts';
import { violationsInThemes } from '../../support/axe.ts';
import { after, afterEach, before, test } from '../../support/browser.ts';
import { dataOf, idsOf } from '../../support/expect.ts';
import { Scene } from '../../support/scene.ts';
import { change, insert } from '../../support/sources.ts';
import { WebClient, withoutWorker } from '../../support/webClient.ts';
import { type Json, listAll } from '../../support/world.ts';

let client: WebClient;
before(async () => {
  client = await WebClient.open();
});
afterEach(() => client.surfer.close());
after(() => client?.close());

/** A server with this name, and a function that invites users as its owner. */
async function harbour(name: string): Promise<{ scene: Scene; invite: (user: Json) => Promise<Json> }> {
  const { world } = client;
  const owner = await world.user({ name: 'Grace Hopper' });
  const server = await world.server(owner, name);
  const admin = await world.client(server, ['canAdmin'], owner);
  const browser = await Browser.of(world, owner, server);
  return {
    scene: new Scene({ world, owner, server, admin }),
    invite: async ({ id }) => dataOf(await browser.post('/invitations', { serverId: server.id, userId: id })),
  };
}

const memberOf = async ({ admin, server }: Scene, user: Json): Promise<boolean> =>
  (await listAll(admin, `/servers/${server.id}/members`)).some(({ userId }) => userId === user.id);

test('an invitation appears in the server list immediately, and is accepted there', async () => {
  const { scene, invite } = await harbour('Harbour');
  await scene.channel({ name: 'quay' });
  const user = await giveAccount(client.world, await client.world.user({ name: 'Ada Lovelace' }));
  const page = await client.signedIn(user, '/', withoutWorker);
  await page.getByRole('heading', { name: 'Welcome, Ada Lovelace' }).waitFor();
  await invite(user);
  await page.getByRole('button', { name: 'Invitation to Harbour' }).click();
  const dialog = page.getByRole('dialog', { name: "You're invited" });
  await dialog.getByText('Grace Hopper').waitFor();
  assert.deepEqual(await violationsInThemes(page), []);
  assert.equal(await memberOf(scene, user), false);
  await dialog.getByRole('button', { name: 'Accept' }).click();
  await page.getByText('quay').first().waitFor();
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Invitation to Harbour' }).waitFor({ state: 'detached' });
  assert.equal(await memberOf(scene, user), true);
  client.assertSound();
});

test('an invitation from before the visit is declined, and disappears', async () => {
  const [first, second] = [await harbour('Marina'), await harbour('Wharf')];
  const user = await giveAccount(client.world, await client.world.user());
  await first.invite(user);
  await second.invite(user);
  const page = await client.signedIn(user, '/', withoutWorker);
  await page.getByRole('button', { name: 'Invitation to Wharf' }).waitFor();
  await page.getByRole('button', { name: 'Invitation to Marina' }).click();
  await page.getByRole('button', { name: 'Decline' }).click();
  await page.getByRole('button', { name: 'Invitation to Marina' }).waitFor({ state: 'detached' });
  assert.equal(await memberOf(first.scene, user), false);
  const browser = await Browser.of(client.world, user);
  assert.equal(idsOf(dataOf(await browser.get('/invitations'))).length, 1);
});

test('an invitation that is no longer valid shows an error, and the dialog closes', async () => {
  const { scene, invite } = await harbour('Pier');
  const user = await giveAccount(client.world, await client.world.user());
  const made = await invite(user);
  const page = await client.signedIn(user, '/', withoutWorker);
  await page.getByRole('button', { name: 'Invitation to Pier' }).click();
  const browser = await Browser.of(client.world, user);
  dataOf(await browser.post(`/invitations/${made.id}/decline`, {}));
  await page.getByRole('button', { name: 'Accept' }).click();
  await page.getByText('This invitation is no longer valid.').first().waitFor();
  assert.equal(await memberOf(scene, user), false);
});

test("a moderator invites a person by username in the server's settings, and withdraws the invitation", async () => {
  const { scene } = await harbour('Lighthouse');
  const { world } = client;
  const user = await giveAccount(world, await world.user({ name: 'Ada Lovelace', username: 'ada-by-name' }));
  const page = await client.signedIn(scene.owner, `/s/${scene.server.id}/settings/invites`, withoutWorker);
  const place = page.getByRole('region', { name: 'Invite a person' });
  await place.getByRole('textbox', { name: 'Username' }).fill('nobody-there');
  await page.keyboard.press('Enter');
  await place.getByRole('alert').first().waitFor();
  await place.getByRole('textbox', { name: 'Username' }).fill('@Ada-by-name');
  await page.keyboard.press('Enter');
  const row = place.getByRole('listitem').filter({ hasText: '@ada-by-name' });
  await row.waitFor();
  assert.deepEqual(await violationsInThemes(page), []);
  const invited = await Browser.of(world, user);
  assert.equal(dataOf(await invited.get('/invitations')).length, 1);
  await row.getByRole('button', { name: "Withdraw Ada Lovelace's invitation" }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Withdraw' }).click();
  await row.waitFor({ state: 'detached' });
  assert.deepEqual(dataOf(await invited.get('/invitations')), []);
});

test('a server with many invitations lists them page by page', async () => {
  const { scene } = await harbour('Roadstead');
  const { world } = client;
  for (let number = 0; number < 60; number++) {
    const user = await world.user({ name: `Sailor ${number}` });
    const sent = { serverId: scene.server.id, userId: user.id, creatorId: scene.owner.id };
    const state = { expiresAt: Date.now() + 1e9, closedAt: null, withdrawnAt: null };
    await change(world.data, ({ db, newRow }) =>
      db.run(insert('invitation', { ...newRow(), ...sent, ...state })),
    );
  }
  const page = await client.signedIn(scene.owner, `/s/${scene.server.id}/settings/invites`, withoutWorker);
  const place = page.getByRole('region', { name: 'Invite a person' });
  const rows = place.getByRole('listitem');
  await rows.filter({ hasText: 'Sailor 59' }).waitFor();
  assert.equal(await rows.count(), 50);
  await place.getByRole('button', { name: 'Show more' }).click();
  const oldest = rows.filter({ hasText: /Sailor 0\b/ });
  await oldest.waitFor();
  assert.equal(await rows.count(), 60);
  await place.getByRole('button', { name: 'Show more' }).waitFor({ state: 'detached' });
  await oldest.getByRole('button', { name: "Withdraw Sailor 0's invitation" }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Withdraw' }).click();
  await oldest.waitFor({ state: 'detached' });
  assert.equal(await rows.count(), 59);
});

test("an invite's link is short, and leads to the server", async () => {
  const { scene } = await harbour('Breakwater');
  const { id, code } = await scene.make('/invites', {});
  assert.match(code, /^[A-Za-z0-9]{10}$/);
  const user = await giveAccount(client.world, await client.world.user());
  for (const by of [code, id]) {
    const page = await client.signedIn(user, `/invite/${by}`, withoutWorker);
    await page.getByRole('button', { name: 'Join Breakwater' }).waitFor();
    await page.close();
  }
  const owner = await client.signedIn(scene.owner, `/s/${scene.server.id}/settings/invites`, withoutWorker);
  await owner.getByTitle(`/invite/${code}`, { exact: false }).waitFor();
});
