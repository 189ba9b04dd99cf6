import assert from 'node:assert/strict';
import { violationsIn } from '../../support/axe.ts';
import { after, before, test } from '../../support/browser.ts';
import { dataOf } from '../../support/expect.ts';
import { until } from '../../support/process.ts';
import { SettingsScene } from '../../support/settingsScene.ts';
import { withoutWorker } from '../../support/webClient.ts';
import { type Json, listAll } from '../../support/world.ts';

let settings: SettingsScene;
let moderator: Json;
let member: Json;
before(async () => {
  settings = await SettingsScene.open();
  const role = await settings.scene.role({ name: 'Guards', canModerate: true });
  moderator = await settings.member('Gwen', role);
  member = await settings.member('Mia');
});
after(() => settings?.close());

for (const width of [1280, 390])
  test(`at ${width} pixels, a word rule holds a message until a moderator approves it`, async () => {
    const { scene, client } = settings;
    const viewport = { width, height: 860 };
    const word = `watch${width}`;
    const desk = await settings.at('words', moderator, { viewport });
    await desk.getByRole('button', { name: 'New word rule' }).click();
    const dialog = desk.getByRole('dialog', { name: 'New word rule' });
    await dialog.getByRole('textbox', { name: 'Words' }).fill(`cheap ${word}*`);
    assert.deepEqual(await violationsIn(desk), []);
    await desk.keyboard.press('Enter');
    await desk.getByText(`cheap ${word}*`).waitFor();
    assert.deepEqual(await violationsIn(desk), []);

    const { id: channelId } = await scene.channel();
    const options = { ...withoutWorker, viewport };
    const page = await client.signedIn(member, `/s/${scene.server.id}/c/${channelId}`, options);
    const composer = page.getByRole('textbox', { name: /^Message/ });
    const send = async (content: string) => {
      await composer.fill(content);
      await page.keyboard.press('Enter');
    };
    await send(`Cheap ${word}es here`);
    await page.getByText('A moderator has to approve this message first.').waitFor();
    assert.deepEqual(await violationsIn(page), []);
    await page.getByRole('button', { name: 'Withdraw' }).click();
    await until(
      async () =>
        (await composer.textContent())?.includes(word) ||
        (await composer.inputValue().catch(() => '')).includes(word),
    );
    await composer.press('Enter');
    await page.getByText('A moderator has to approve this message first.').waitFor();

    const queue = await settings.at('held', moderator, { viewport });
    await queue.getByText(`Cheap ${word}es here`).waitFor();
    assert.deepEqual(await violationsIn(queue), []);
    await queue.getByRole('button', { name: 'Approve message from Mia' }).click();
    await queue.getByText('No held messages').waitFor();
    const row = page.locator('[data-message]', { hasText: `Cheap ${word}es here` });
    await row.waitFor();
    assert.equal(await page.getByText('A moderator has to approve').count(), 0);
    const sent = await listAll(scene.admin, `/channels/${channelId}/messages`);
    assert.deepEqual(
      sent.map(({ creatorId }) => creatorId),
      [member.id],
    );
  });

test('moderators set slow mode and time-outs, and admins how long messages are kept', async () => {
  const { scene, client } = settings;
  const channel = await scene.channel({ name: 'slow-one' });
  const admin = await settings.member('Ada', await scene.role({ name: 'Admins', canAdmin: true }));
  const page = await client.signedIn(admin, `/s/${scene.server.id}/c/${channel.id}`, withoutWorker);
  await page.getByRole('button', { name: 'Channel options' }).click();
  await page.getByRole('menuitem', { name: 'Settings' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Slow mode').selectOption({ label: '30 sec' });
  await dialog.getByLabel('Delete messages after (days)').fill('30');
  assert.deepEqual(await violationsIn(page), []);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Kept for 30 days').waitFor();
  const { slowSeconds, retentionDays } = dataOf(await scene.admin.get(`/channels/${channel.id}`));
  assert.deepEqual([slowSeconds, retentionDays], [30, 30]);

  await page.getByRole('button', { name: 'Members', exact: true }).click();
  await page.getByRole('button', { name: /Mia/ }).first().click();
  await page.getByRole('button', { name: 'Member options' }).click();
  await page.getByRole('menuitem', { name: 'Time out' }).click();
  await page.getByRole('dialog', { name: 'Time out Mia?' }).getByText('1 day').click();
  assert.deepEqual(await violationsIn(page), []);
  await page.getByRole('button', { name: 'Time out', exact: true }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: /Mia/ }).first().click();
  await page.getByText(/^Timed out until/).waitFor();
  await page.getByRole('button', { name: 'Member options' }).click();
  await page.getByRole('menuitem', { name: 'End time-out' }).click();
  await until(async () => {
    const members: Json[] = await listAll(scene.admin, `/servers/${scene.server.id}/members`);
    return members.find(({ userId }) => userId === member.id)?.timeoutUntil === null;
  });
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: /Mia/ }).first().click();
  await page.getByRole('button', { name: 'Member options' }).click();
  await page.getByRole('menuitem', { name: 'Kick' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Kick' }).click();
  await page.getByRole('button', { name: /Mia/ }).first().waitFor({ state: 'detached' });
});
