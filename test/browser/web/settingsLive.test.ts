import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';

import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { after, before, test } from '../../support/browser.ts';
import { dataOf } from '../../support/expect.ts';
import { until } from '../../support/process.ts';
import { Receiver } from '../../support/receiver.ts';
import { SettingsScene } from '../../support/settingsScene.ts';
import type { Json } from '../../support/world.ts';

const run = promisify(execFile);

let settings: SettingsScene;
let page: Page;
let helpers: Json;
let helper: Json;
const server = () => settings.scene.server.id;
before(async () => {
  settings = await SettingsScene.open({
    webhooks: { allowedHosts: { allowPrivate: true, hosts: [] } },
    privateWebhooks: true,
  });
  helpers = await settings.scene.role({ name: 'Helpers' });
  helper = await settings.member('Grace', helpers);
  page = await settings.at('roles');
});
after(() => settings?.close());

const open = async (section: string) => {
  await page.goto(settings.path(section));
  await page.locator('.setting-title').waitFor();
};
const button = (name: string) => page.getByRole('button', { name, exact: true });
const menu = async (of: string, action: string) => {
  await button(`Actions for ${of}`).click();
  await page.getByRole('menuitem', { name: action }).click();
};

test("a change to a role's permissions applies live to a member who is online", async () => {
  const other = await settings.at('channels', helper);
  await other.getByText('“Manage channels”').waitFor();
  const flag = page.getByRole('switch', { name: 'Manage channels for Helpers' });
  await flag.click();
  assert.equal(await flag.isChecked(), true);
  await other.getByRole('button', { name: 'New channel' }).waitFor();
  assert.equal(dataOf(await settings.scene.admin.get(`/roles/${helpers.id}`)).canEditChannel, true);
  await flag.click();
  await other.getByText('“Manage channels”').waitFor();
  assert.equal(await other.getByRole('button', { name: 'New channel' }).count(), 0);
});

test('a rejected change to a role is reverted with an explanation', async () => {
  await page.route(`**/api/v1/roles/${helpers.id}`, (route) =>
    route.fulfill({
      status: 403,
      contentType: 'application/json',
      body: JSON.stringify({
        ok: false,
        error: { code: 'FORBIDDEN', message: 'somebody was faster', requestId: 'r' },
      }),
    }),
  );
  const flag = page.getByRole('switch', { name: 'Moderate for Helpers' });
  await flag.click();
  await page.getByText("Couldn't save your change, so it was undone: somebody was faster").first().waitFor();
  assert.equal(await flag.isChecked(), false);
  await page.unroute(`**/api/v1/roles/${helpers.id}`);
});

test('a role is assigned to a member and removed, and a member is kicked', async () => {
  await open('members');
  await button('Roles of Grace').click();
  const mark = page.getByRole('checkbox', { name: 'Helpers' });
  assert.equal(await mark.isChecked(), true);
  const has = async () => {
    const members = dataOf(await settings.scene.admin.get(`/servers/${server()}/members?q=grace`));
    return members[0].roleIds.includes(helpers.id);
  };
  await mark.click();
  await until(async () => !(await has()));
  await mark.click();
  await until(has);
  await page.keyboard.press('Escape');

  const row = page.locator('.setting-row').filter({ hasText: 'Alan' });
  const alan = await settings.member('Alan');
  await row.waitFor();
  await page.getByLabel('Find a member').fill('alan');
  await page.locator('.setting-row').filter({ hasText: 'Grace' }).waitFor({ state: 'detached' });
  await menu('Alan', 'Ban');
  await page.getByLabel('Reason').fill('Too loud');
  await page.getByRole('dialog').getByRole('button', { name: 'Ban' }).click();
  await row.waitFor({ state: 'detached' });
  await open('bans');
  await page.getByText('Too loud').waitFor();
  await button('Lift ban on Alan').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Lift ban' }).click();
  await page.getByText('No bans').waitFor();
  await settings.scene.make('/server-members', { userId: alan.id });
});

test('channels are reordered by keyboard, and the order persists', async () => {
  await open('webhooks');
  await button('New incoming webhook').click();
  await page.getByText('Create a channel first.').waitFor();
  assert.equal(
    await page.getByRole('dialog').getByRole('button', { name: 'New incoming webhook' }).count(),
    0,
  );
  for (const name of ['first', 'second', 'third']) await settings.scene.channel({ name });
  await open('channels');
  const order = () => page.locator('.setting-row-name').allTextContents();
  await until(async () => (await order()).length === 3);
  await button('Move third').focus();
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('ArrowUp');
  assert.deepEqual(await order(), ['third', 'first', 'second']);
  await page.getByText('third moved to position 1 of 3.').waitFor({ state: 'attached' });
  await until(async () => (await page.evaluate('document.activeElement.ariaLabel')) === 'Move third', 2000);
  const kept = async () =>
    dataOf(await settings.scene.admin.get(`/servers/${server()}/channels`)).map(({ name }: Json) => name);
  await until(async () => String(await kept()) === 'third,first,second');
  await page.reload();
  await until(async () => String(await order()) === 'third,first,second');

  const from = await button('Move second').boundingBox();
  const to = await button('Move third').boundingBox();
  assert.ok(from && to);
  await page.mouse.move(from.x + 5, from.y + 5);
  await page.mouse.down();
  await page.mouse.move(to.x + 5, to.y + 20, { steps: 5 });
  // A channel is created during the drag, and the dragged channel still moves.
  await settings.scene.channel({ name: 'newcomer', position: 0 });
  await page.getByText('newcomer').waitFor();
  const now = await button('Move third').boundingBox();
  await page.mouse.move(to.x + 5, (now?.y ?? 0) + 20, { steps: 5 });
  await page.mouse.up();
  await until(async () => String(await kept()) === 'second,third,newcomer,first');
  assert.deepEqual(await order(), ['second', 'third', 'newcomer', 'first']);
});

test('a channel is created, edited, and deleted after typing its name', async () => {
  await open('channels');
  await button('New channel').click();
  await page.getByLabel('Name').fill('staff');
  await page.getByText('Private', { exact: true }).click();
  await page.getByRole('checkbox', { name: 'Helpers' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Create channel' }).click();
  await page.getByText('visible to Helpers').waitFor();
  await menu('staff', 'Delete channel');
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Type staff to confirm').fill('stuff');
  await dialog.getByRole('button', { name: 'Delete channel' }).click();
  assert.equal(await dialog.count(), 1);
  await dialog.getByLabel('Type staff to confirm').fill('staff');
  await dialog.getByRole('button', { name: 'Delete channel' }).click();
  await page.getByText('visible to Helpers').waitFor({ state: 'detached' });
});

test('a webhook is created, its ping arrives, and the delivery is listed with its status', async () => {
  const receiver = await Receiver.open();
  try {
    await open('webhooks');
    await button('New outgoing webhook').first().click();
    await page.getByLabel('Name').fill('Archive');
    await page.getByLabel('URL', { exact: true }).fill(`${receiver.url}/hook`);
    await page.getByText('Selected events').click();
    const make = page.getByRole('dialog').getByRole('button', { name: 'New outgoing webhook' });
    await page.getByRole('checkbox', { name: 'Messages' }).uncheck();
    await make.click();
    await page.getByText('Choose at least one event type, or all events.').waitFor();
    await page.getByRole('checkbox', { name: 'Messages' }).check();
    await make.click();
    await page.getByText('whsec_').waitFor();
    await button("I've saved it").click();
    receiver.answers.push(418);
    await menu('Archive', 'Deliveries');
    await button('Send ping').click();
    const [delivery] = await receiver.got(1);
    assert.equal(delivery?.event.type, 'ping');
    await page.getByText('418', { exact: true }).waitFor();

    // Events are redelivered starting from a delivery, and starting from a time.
    const channel = await settings.scene.channel({ name: 'talk' });
    for (const content of ['one', 'two', 'three'])
      await settings.scene.message({ channelId: channel.id, content });
    await receiver.got(4);
    await button('Refresh').click();
    const rows = page.getByRole('dialog').getByRole('listitem').filter({ hasText: 'message.created' });
    await until(async () => (await rows.count()) === 3);
    await rows.nth(1).getByRole('button', { name: 'Resend all after this' }).click();
    const again = page.getByRole('dialog', { name: 'Resend events to Archive' });
    await again.getByText('Resends all matching events after this one (message.created, sent').waitFor();
    await again.getByRole('button', { name: 'Resend' }).click();
    await page.getByText('Events are being resent.').first().waitFor();
    await receiver.got(5);
    assert.deepEqual(receiver.contents, ['one', 'two', 'three', 'three']);
    await button('Resend since…').click();
    await again.getByLabel('Since').fill('2020-01-01T00:00');
    await again.getByRole('button', { name: 'Resend' }).click();
    await again.waitFor({ state: 'detached' });
    await receiver.got(8);
    assert.deepEqual(receiver.contents.slice(4), ['one', 'two', 'three']);
    await page.keyboard.press('Escape');
    await menu('Archive', 'Disable');
    await page.getByText('Disabled', { exact: true }).waitFor();
  } finally {
    await receiver.close();
  }
});

test('an incoming webhook works with the displayed commands', async () => {
  await open('webhooks');
  await button('New incoming webhook').first().click();
  await page.getByLabel('Name').fill('Builds');
  await page.getByRole('dialog').getByRole('button', { name: 'New incoming webhook' }).click();
  await page.getByText('Anyone with this URL can post').waitFor();
  const lines = await page.locator('.copy-text').allTextContents();
  const [, curl = '', grafana = '', github = '', slack = ''] = lines;
  for (const line of [curl, slack]) assert.equal((await run('sh', ['-c', `${line} -s`])).stdout, 'ok');
  const post = (url: string, body: object, headers = {}) =>
    fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    }).then((answer) => answer.text());
  assert.equal(await post(grafana, { title: '[FIRING:1] Disk is full', message: 'of db-1' }), 'ok');
  const push = { zen: 'Keep it simple.', repository: { full_name: 'northwind/harbour' } };
  assert.equal(await post(github, push, { 'x-github-event': 'ping' }), 'ok');
  const [{ id }] = dataOf(await settings.scene.admin.get(`/servers/${server()}/channels`));
  const messages: Json[] = dataOf(await settings.scene.admin.get(`/channels/${id}/messages`));
  const said = messages.map(({ content }) => content).join('\n');
  for (const each of ['Build 7 succeeded', '**Build 7 succeeded**', 'Disk is full', 'northwind/harbour'])
    assert.ok(said.includes(each), said);
  await button("I've saved it").click();
  settings.client.surfer.complaints.splice(0);
});

test('an invite is created with an expiry and a use limit, and shows its link and code', async () => {
  await open('invites');
  await button('New invite').first().click();
  await page.getByLabel('Maximum uses').selectOption('5');
  await page.getByRole('dialog').getByRole('button', { name: 'Create link' }).click();
  await page.getByRole('img', { name: 'Invite QR code' }).waitFor();
  const link = (await page.getByRole('dialog').locator('.copy-text').textContent()) ?? '';
  await page.keyboard.press('Escape');
  await page.getByText('used 0 of 5 times').waitFor();
  const id = link.split('/').at(-1) ?? '';
  const guest = await settings.client.world.user();
  await settings.scene.make('/server-members', { userId: guest.id });
  assert.equal(dataOf(await settings.scene.admin.get(`/invites/${id}`)).maxUses, 5);
  await button('Revoke').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
  await page.getByText('used 0 of 5 times').waitFor({ state: 'detached' });
});
