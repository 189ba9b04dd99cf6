import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import { violationsIn, violationsInThemes } from '../../support/axe.ts';
import { after, afterEach, before, test } from '../../support/browser.ts';
import { Composing, fieldOf } from '../../support/composing.ts';
import { dataOf } from '../../support/expect.ts';
import { png } from '../../support/pictures.ts';
import { until } from '../../support/process.ts';
import { upload } from '../../support/uploads.ts';
import { type Client, type Json, TestClock } from '../../support/world.ts';

// Blocks in agents' messages, as users see and use them.

const phone = { viewport: { width: 390, height: 780 }, hasTouch: true, isMobile: true };

const clock = new TestClock();
let scene: Composing;
let bot: Client;
before(async () => {
  scene = await Composing.open({ clock, timers: true });
  const { world } = scene.client;
  const agent = await world.user({ agent: true, username: 'deployer', name: 'Deployer' });
  bot = await world.client(scene.server, ['canEditData'], agent);
});
afterEach(() => scene.client.surfer.close());
after(() => scene?.close());

const options = [
  { text: 'Staging', value: 's' },
  { text: 'Production', value: 'p' },
];
const button = { type: 'button', id: 'ok', text: 'Run it', value: '1', style: 'primary' };
const form = {
  type: 'form',
  id: 'why',
  text: 'Report…',
  title: 'Report a problem',
  submit: 'Send report',
  fields: [
    { type: 'text', id: 'reason', label: 'Reason', required: true },
    { type: 'multiline', id: 'more', label: 'Details' },
    { type: 'select', id: 'where', label: 'Where', options },
    { type: 'date', id: 'day', label: 'Day' },
    { type: 'checkbox', id: 'sure', label: 'I checked twice' },
  ],
};

const say = async (channel: Json, blocks: unknown, more: Json = {}): Promise<Json> =>
  dataOf(await bot.post('/messages', { channelId: channel.id, content: 'Deploy 41', blocks, ...more }));
const acts = (...elements: unknown[]) => [{ type: 'actions', id: 'a1', elements }];
const rowOf = (page: Page, { id }: Json): Locator => page.locator(`[data-message="${id}"]`);
/** The agent's pending interactions in a channel, latest first. */
const waiting = async ({ id }: Json): Promise<Json[]> =>
  dataOf(await bot.get(`/interactions?state=pending&channelId=${id}`));
async function asked(channel: Json): Promise<Json> {
  await until(async () => (await waiting(channel)).length > 0);
  return (await waiting(channel))[0] as Json;
}
const answer = async (channel: Json, body: object): Promise<Json> =>
  dataOf(await bot.post(`/interactions/${(await asked(channel)).id}/answer`, body));
const isOff = async (control: Locator) => (await control.getAttribute('aria-disabled')) === 'true';

test('every kind of block is shown, in both themes and on a phone', async () => {
  const channel = await scene.channel({ name: 'kinds' });
  const file = dataOf(await upload(scene.client.world, bot, new Uint8Array(png(320, 200)), 'chart.png'));
  const alt = 'A chart of response times';
  const message = await say(
    channel,
    [
      {
        type: 'section',
        text: '**Deploy 41** is ready.',
        button: { ...button, id: 'more', text: 'Details' },
      },
      { type: 'image', attachmentId: file.id, alt },
      { type: 'divider' },
      { type: 'context', text: 'Asked by *release bot*' },
      ...acts(
        button,
        { type: 'select', id: 'where', options, placeholder: 'Where to?' },
        { type: 'date', id: 'when' },
        form,
      ),
      {
        type: 'taskList',
        title: 'Release 41',
        tasks: [
          { text: 'Run the tests', state: 'done' },
          { text: 'Build', state: 'working' },
          { text: 'Publish', state: 'pending' },
          { text: 'Tell people', state: 'failed' },
        ],
      },
    ],
    { attachmentIds: [file.id] },
  );
  for (const device of [{ viewport: { width: 1280, height: 900 } }, phone]) {
    const page = await scene.window(scene.ada, channel, device);
    const row = rowOf(page, message);
    await row.getByRole('button', { name: 'Details' }).waitFor();
    await row.getByText('is ready.').waitFor();
    await row.getByText('release bot').waitFor();
    assert.equal(await row.getByRole('img', { name: alt }).count(), 1, 'the image is not shown twice');
    await row.getByRole('combobox', { name: 'Where to?' }).waitFor();
    await row.getByLabel('Date').waitFor();
    assert.deepEqual(await row.getByRole('listitem').allTextContents(), [
      'Done: Run the tests',
      'In progress: Build',
      'Not started: Publish',
      'Failed: Tell people',
    ]);
    await row.getByText('1 of 4 done').waitFor();
    assert.deepEqual(await violationsInThemes(page, '.timeline'), []);
    const width = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
    assert.ok(width <= 0, `${width} px too wide`);
    await page.context().close();
  }
  scene.client.assertSound();
});

test('a button shows that it is pending, done, failed or expired, even after a reload', async () => {
  const channel = await scene.channel({ name: 'states' });
  const message = await say(channel, acts(button, { ...button, id: 'other', text: 'Later' }));
  const page = await scene.window(scene.ada, channel);
  const row = rowOf(page, message);
  const run = row.getByRole('button', { name: 'Run it' });
  await run.focus();
  await page.keyboard.press('Enter');
  await row.getByText('Waiting for Deployer…').waitFor();
  await page.keyboard.press('Enter');
  await page.reload();
  await row.getByText('Waiting for Deployer…').waitFor();
  assert.equal(await isOff(run), true);
  assert.equal((await waiting(channel)).length, 1, 'clicking twice counts once');

  await answer(channel, { failed: true });
  await row.getByText("Deployer couldn't do this. You can try again.").waitFor();
  await page.reload();
  await row.getByText("Deployer couldn't do this.").waitFor();
  await run.click();
  await row.getByText('Waiting for Deployer…').waitFor();
  await answer(channel, { content: 'Deployed.' });
  await page.locator('article').getByText('Deployed.', { exact: true }).waitFor();
  await row.getByText('Done', { exact: true }).waitFor();
  await page.reload();
  await row.getByText('Done', { exact: true }).waitFor();
  assert.equal(await isOff(run), true, 'two clicks count once');

  clock.advance(1_000);
  await row.getByRole('button', { name: 'Later' }).click();
  await row.getByText('Waiting for Deployer…').waitFor();
  clock.advance(15 * 60_000 + 1_000);
  await row.getByText("Deployer didn't answer in time. You can try again.").waitFor();
  scene.client.assertSound();
});

test('an answer for one person is not shown to anyone else, and can be dismissed', async () => {
  const channel = await scene.channel({ name: 'ephemeral' });
  const message = await say(channel, acts(button));
  const [page, other] = [await scene.window(scene.ada, channel), await scene.window(scene.ben, channel)];
  const row = rowOf(page, message);
  await row.getByRole('button', { name: 'Run it' }).click();
  await answer(channel, { ephemeral: 'Your token is **ready**' });
  await row.getByText('Only you can see this').waitFor();
  await row.getByText('Your token is').waitFor();
  assert.deepEqual(await violationsIn(page, { within: '.timeline' }), []);
  await page.reload();
  await row.getByText('Your token is').waitFor();
  await rowOf(other, message).getByRole('button', { name: 'Run it' }).waitFor();
  assert.equal(await other.getByText('Your token').count(), 0);
  await row.getByRole('button', { name: 'Dismiss' }).click();
  await row.getByText('Your token is').waitFor({ state: 'hidden' });
  await page.reload();
  await row.getByText('Done', { exact: true }).waitFor();
  assert.equal(await page.getByText('Your token').count(), 0);
});

test('a select, a date and a form are filled in by keyboard', async () => {
  const channel = await scene.channel({ name: 'forms' });
  const message = await say(
    channel,
    acts(
      { type: 'select', id: 'where', options, placeholder: 'Where to?' },
      { type: 'date', id: 'when' },
      form,
    ),
  );
  const page = await scene.window(scene.ada, channel);
  const row = rowOf(page, message);
  await row.getByRole('combobox', { name: 'Where to?' }).focus();
  await page.keyboard.press('ArrowDown');
  assert.equal((await waiting(channel)).length, 0, 'a key press sends nothing');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  assert.equal((await asked(channel)).value, 's');
  await answer(channel, { update: { blocks: acts({ type: 'date', id: 'when' }, form) } });
  await row.getByLabel('Date').fill('2027-01-31');
  await page.keyboard.press('Enter');
  assert.equal((await asked(channel)).value, '2027-01-31');
  await answer(channel, { ephemeral: 'Noted' });

  await row.getByRole('button', { name: 'Report…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Report a problem' });
  await dialog.waitFor();
  assert.deepEqual(await violationsInThemes(page, 'dialog'), []);
  await dialog.getByRole('button', { name: 'Send report' }).click();
  await dialog.locator('.field-error').waitFor();
  assert.equal(await page.evaluate('document.activeElement.name'), 'value.reason');
  await page.keyboard.type('Too slow');
  await dialog.getByLabel('Where').selectOption({ label: 'Production' });
  await dialog.getByLabel('Day').fill('2027-02-01');
  await dialog.getByLabel('I checked twice').check();
  await dialog.getByRole('button', { name: 'Send report' }).click();
  await dialog.waitFor({ state: 'hidden' });
  assert.deepEqual((await asked(channel)).value, {
    reason: 'Too slow',
    where: 'p',
    day: '2027-02-01',
    sure: true,
  });
  await answer(channel, { failed: true });
  scene.client.assertSound();
});

test('an approval shows who can decide and who has decided, and only deciders can use it', async () => {
  const channel = await scene.channel({ name: 'approvals' });
  const elements = [
    { ...button, text: 'Approve' },
    { type: 'button', id: 'no', text: 'Reject', value: '0' },
  ];
  const message = await say(channel, [
    { type: 'actions', id: 'a1', elements, deciders: { userIds: [scene.ada.id] } },
  ]);
  const [page, other] = [await scene.window(scene.ada, channel), await scene.window(scene.ben, channel)];
  const [mine, theirs] = [rowOf(page, message), rowOf(other, message)];
  await theirs.getByText('Ada Lovelace can decide.').waitFor();
  assert.equal(await isOff(theirs.getByRole('button', { name: 'Approve' })), true);
  assert.equal(await isOff(mine.getByRole('button', { name: 'Approve' })), false);
  await mine.getByRole('button', { name: 'Approve' }).click();
  for (const row of [mine, theirs]) {
    await row.getByText(/Ada Lovelace chose “Approve”/).waitFor();
    assert.equal(await isOff(row.getByRole('button', { name: 'Reject' })), true);
  }
  await answer(channel, { ephemeral: 'Thank you' });
  await page.reload();
  await mine.getByText(/Ada Lovelace chose “Approve”/).waitFor();
  assert.deepEqual(await violationsInThemes(page, '.timeline'), []);
  await page.goto(`/s/${scene.server.id}/settings/audit`);
  await page.getByText('Ada Lovelace decided on an approval: ok').waitFor();
  scene.client.assertSound();
});

test('outside the conversation, a message without content is shown as the text of its blocks', async () => {
  const channel = await scene.channel({ name: 'elsewhere' });
  const page = await scene.window(scene.ada, channel);
  const message = await say(channel, [{ type: 'section', text: 'The build **failed**' }], { content: '' });
  const text = 'The build failed';
  await page.getByRole('log').getByText(text).waitFor({ state: 'attached' });
  dataOf(await scene.api.post('/pins', { messageId: message.id }));
  dataOf(
    await scene.api.post('/messages', { channelId: channel.id, content: 'Again?', replyToId: message.id }),
  );
  await page.locator('.message-glimpse').getByText(text).waitFor();
  const card = page.locator('.side-panel .message-card');
  for (const panel of ['pins', 'search&q=in:elsewhere from:deployer']) {
    await page.goto(`${scene.path(channel)}?panel=${panel}`);
    await card.getByText(text).waitFor();
  }
  scene.client.assertSound();
});

test('the code for blocks is loaded with the first message that has blocks', async () => {
  const channel = await scene.channel({ name: 'late' });
  dataOf(await bot.post('/messages', { channelId: channel.id, content: 'Plain' }));
  const page = await scene.window(scene.ada, channel);
  await page.locator('article').getByText('Plain').waitFor();
  const before = scene.client.surfer.requests.filter((address) => address.endsWith('.js')).length;
  const message = await say(channel, acts(button));
  await rowOf(page, message).getByRole('button', { name: 'Run it' }).waitFor();
  assert.ok(scene.client.surfer.requests.filter((address) => address.endsWith('.js')).length > before);
  assert.equal(await fieldOf(page).isVisible(), true);
});
