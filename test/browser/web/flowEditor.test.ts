import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { violationsInThemes } from '../../support/axe.ts';
import { after, before, test } from '../../support/browser.ts';
import { outOfReach } from '../../support/everyPage.ts';
import { dataOf } from '../../support/expect.ts';
import { makeFlow, messages } from '../../support/flows.ts';
import { Keyboard } from '../../support/keyboard.ts';
import { SettingsScene } from '../../support/settingsScene.ts';
import type { Json } from '../../support/world.ts';

// The flow editor: forms, templates, JSON, and the server's errors.

let settings: SettingsScene;
let page: Page;
let keyboard: Keyboard;
let channel: Json;
before(async () => {
  settings = await SettingsScene.open({ limits: { '*': 0 }, timers: true });
  channel = await settings.scene.channel({ name: 'general' });
  page = await settings.at('flows');
  keyboard = new Keyboard(page);
});

after(() => settings?.close());

const dialog = () => page.getByRole('dialog').last();
const flows = async (): Promise<Json[]> =>
  dataOf(await settings.scene.admin.get(`/servers/${settings.scene.server.id}/flows`));
const named = async (name: string): Promise<Json> => {
  const flow = (await flows()).find((one) => one.name === name);
  assert.ok(flow, name);
  return flow;
};
const choose = async (item: string, flow: Json) => {
  await page.getByRole('button', { name: `Actions for ${flow.name}`, exact: true }).click();
  await page.getByRole('menuitem', { name: item, exact: true }).click();
  await dialog().waitFor();
};
const gone = () => page.locator('dialog[open]').waitFor({ state: 'detached' });

/** Adds a step at the end, and waits until a field of the step has the focus. */
const addStep = async (item: string) => {
  await keyboard.pick('Add step', item);
  await dialog().locator('.flow-step:last-child > .flow-step-fields :focus').waitFor();
};

const welcomeSteps = (channelId: string): Json[] => [
  {
    ...{ name: 'message-send-1', do: 'message.send', channelId },
    content: 'Welcome, @{{event.data.user.username}}! Read the rules.',
  },
  { name: 'wait-1', do: 'wait', seconds: 172_800 },
  {
    ...{ name: 'message-send-2', do: 'message.send', channelId },
    content: 'Introduce yourself, @{{event.data.user.username}}',
  },
];

test('a flow that welcomes members and reminds them after two days is created with the keyboard alone', async () => {
  await keyboard.press('New flow');
  await dialog().getByRole('list', { name: 'Templates' }).waitFor();
  await keyboard.press('Use: Start from scratch');
  await dialog().getByLabel('Name').waitFor();
  await keyboard.tabTo('Name');
  await page.keyboard.type('Welcome and remind');
  await keyboard.select('Which event', 'a member joins');
  await addStep('Send a message');
  await keyboard.select('Channel', '#general');
  await keyboard.tabTo('Text');
  await page.keyboard.type('Welcome, @{{username');
  await dialog()
    .getByRole('option', { name: /^Username \(event\)/ })
    .waitFor();
  await page.keyboard.press('Enter');
  await page.keyboard.type('! Read the rules.');
  await addStep('Wait');
  await keyboard.tabTo('Duration');
  await page.keyboard.press('Control+a');
  await page.keyboard.type('2');
  await keyboard.select('Unit', 'Days');
  await addStep('Send a message');
  await keyboard.select('Channel', '#general');
  await keyboard.tabTo('Text');
  await page.keyboard.type('Introduce yourself, @');
  await keyboard.pick('Insert a value: Text', 'Username (event)');
  await dialog()
    .getByRole('region', { name: 'Summary' })
    .getByText(
      'When a member joins: send “Welcome, @[Username (event)]! Read the rules.” to #general, then wait 2 days, then send “Introduce yourself, @[Username (event)]” to #general.',
    )
    .waitFor();
  assert.deepEqual(await violationsInThemes(page, 'dialog'), []);
  const size = page.viewportSize();
  await page.setViewportSize({ width: 320, height: 640 });
  assert.deepEqual(await outOfReach(page), []);
  if (size) await page.setViewportSize(size);
  await keyboard.press('Save');
  await gone();
  const { trigger, steps, enabled } = await named('Welcome and remind');
  assert.deepEqual(
    { trigger, enabled, steps },
    {
      trigger: { on: 'event', type: 'serverMember.created' },
      enabled: true,
      steps: welcomeSteps(channel.id),
    },
  );
  settings.client.assertSound();
});

test('steps are moved and removed by keyboard, without losing the focus', async () => {
  const flow = await named('Welcome and remind');
  await choose('Edit', flow);
  const names = () => dialog().locator('.flow-step-name').allTextContents();
  const focused = () => page.evaluate<string>('document.activeElement.ariaLabel');
  await keyboard.press('Move up: 2. Wait');
  await page.locator(':focus[aria-label="Move down: 1. Wait"]').waitFor();
  assert.deepEqual(await names(), ['1. Wait', '2. Send a message', '3. Send a message']);
  await page.keyboard.press('Enter');
  await page.locator(':focus[aria-label="Move down: 2. Wait"]').waitFor();
  await keyboard.press('Remove: 2. Wait');
  await page.locator(':focus[aria-label^="Move"]').waitFor();
  assert.match(await focused(), /2\. Send a message/);
  assert.deepEqual(await names(), ['1. Send a message', '2. Send a message']);
  await page.keyboard.press('Escape');
  await dialog().getByText('Discard your changes?').waitFor();
  await dialog().getByRole('button', { name: 'Discard' }).click();
  await gone();
  assert.equal((await named('Welcome and remind')).steps.length, 3);
});

test('every template is accepted unchanged, and a hook shows its address once', async () => {
  const before = new Set((await flows()).map(({ id }) => id));
  await page.getByRole('button', { name: 'New flow' }).click();
  const labels = (
    await page.evaluate<string[]>(
      `[...document.querySelectorAll('dialog[open] [aria-label^="Use: "]')].map((one) => one.ariaLabel)`,
    )
  ).slice(1);
  assert.equal(labels.length, 10);
  await page.keyboard.press('Escape');
  for (const label of labels) {
    await page.getByRole('button', { name: 'New flow' }).click();
    await dialog()
      .getByRole('button', { name: label ?? '', exact: true })
      .click();
    await dialog().getByRole('button', { name: 'Save' }).click();
    await page.locator('dialog[open]:has([name=name])').waitFor({ state: 'detached' });
    const shown = page.getByRole('dialog', { name: /^URL of/ });
    if (!/Form|Webhook/.test(label ?? '')) continue;
    await shown
      .getByText(/\/hooks\/flows\/hook_plv_/)
      .first()
      .waitFor();
    await shown.getByRole('button', { name: "I've saved it" }).click();
  }
  await gone();
  const made = (await flows()).filter(({ id }) => !before.has(id));
  assert.equal(made.length, 10);
  assert.ok(made.every(({ kind, enabled }) => kind === 'flow' && enabled));
  for (const { id } of made) await settings.scene.remove(`/flows/${id}`);
  settings.client.assertSound();
});

test("the server's errors are shown at their fields, including those in steps", async () => {
  const flow = await makeFlow(settings.scene, messages(channel.id), [
    {
      ...{ name: 'which', do: 'if', where: { path: 'event.data.content', matches: 'a' } },
      // biome-ignore lint/suspicious/noThenProperty: the name of a field; the object is never awaited
      then: [{ name: 'call', do: 'http.call', url: 'https://example.com/', json: { a: 1 } }],
    },
  ]);
  await choose('Edit', flow);
  const than = dialog().locator('[name="steps[0].where.matches"]');
  await than.fill('(');
  await dialog().getByRole('button', { name: 'Save' }).click();
  await dialog()
    .getByText(/syntax of RE2/)
    .waitFor();
  assert.equal(await than.getAttribute('aria-invalid'), 'true');
  await than.fill('b');
  const url = dialog().locator('[name="steps[0].then[0].url"]');
  await url.fill('https://example.com/{{nothing.here}}');
  await dialog().getByRole('button', { name: 'Save' }).click();
  await dialog()
    .getByText(/nothing.here/)
    .last()
    .waitFor();
  await page.locator(':focus[name="steps[0].then[0].url"]').waitFor();
  await url.fill('https://example.com/b');
  await dialog().getByRole('button', { name: 'Save' }).click();
  await gone();
  const { steps } = await named(flow.name);
  assert.equal(steps[0].where.matches, 'b');
  assert.deepEqual(steps[0].then[0], {
    name: 'call',
    do: 'http.call',
    url: 'https://example.com/b',
    json: { a: 1 },
  });
  settings.client.surfer.complaints.splice(0);
});

test('the JSON tab shows the same flow, and unknown steps stay unchanged', async () => {
  const flow = await named('Welcome and remind');
  await choose('Edit', flow);
  await dialog().getByRole('tab', { name: 'JSON' }).click();
  const json = dialog().getByRole('textbox', { name: 'JSON' });
  const whole = JSON.parse(await json.inputValue());
  assert.deepEqual(whole, { trigger: flow.trigger, steps: flow.steps });
  await json.fill(
    JSON.stringify({ trigger: { on: 'schedule', cron: '30 8 * * 1', timeZone: 'Europe/Berlin' }, steps: [] }),
  );
  await dialog().getByRole('tab', { name: 'Form' }).click();
  assert.equal(await dialog().getByLabel('Time', { exact: true }).inputValue(), '08:30');
  await dialog().getByLabel('Time', { exact: true }).fill('09:15');
  await dialog().getByLabel('Repeats').selectOption('Monday to Friday');
  await dialog().getByText('Monday to Friday at 09:15 (Europe/Berlin): nothing yet').waitFor();
  assert.deepEqual(await violationsInThemes(page, 'dialog'), []);
  await dialog().getByRole('button', { name: 'Save' }).click();
  await gone();
  assert.deepEqual((await named('Welcome and remind')).trigger, {
    ...{ on: 'schedule', cron: '15 9 * * 1-5', timeZone: 'Europe/Berlin' },
  });
  settings.client.assertSound();
});

test('a command asks a question with buttons, and waits for a reply', async () => {
  await page.getByRole('button', { name: 'New flow' }).click();
  await dialog().getByRole('button', { name: 'Use: Start from scratch' }).click();
  await dialog().getByLabel('Name', { exact: true }).fill('Lunch');
  await dialog().getByLabel('Trigger').selectOption('Command');
  await dialog().getByLabel('Command name').fill('lunch');
  await dialog().getByLabel('Command description').fill('Asks who comes');
  const add = async (item: string) => {
    await dialog().getByRole('button', { name: 'Add step', exact: true }).click();
    await page.getByRole('menuitem', { name: item, exact: true }).click();
  };
  await add('Ask a question');
  await dialog().getByLabel('Channel', { exact: true }).selectOption('#general');
  await dialog().getByRole('textbox', { name: 'Question' }).fill('Who comes?');
  await dialog().getByLabel('Button 1: text').fill('Me');
  await dialog().getByLabel('Button 1: ID').fill('me');
  await dialog().getByRole('button', { name: 'Remove button 2' }).click();
  await dialog().getByLabel('How many people have to answer').fill('2');
  await add('Wait');
  await dialog().getByText('2. Wait').waitFor();
  await dialog().getByText('More options').last().click();
  await dialog().getByLabel('Or until this happens').selectOption('a message is sent');
  assert.deepEqual(await violationsInThemes(page, 'dialog'), []);
  await dialog()
    .getByText(
      'When someone uses /lunch: ask “Who comes?” until 2 people answer, then wait until a message is sent, for at most 1 hr.',
    )
    .waitFor();
  await dialog().getByRole('button', { name: 'Save' }).click();
  await gone();
  const { trigger, steps } = await named('Lunch');
  assert.deepEqual(trigger, { on: 'command', command: 'lunch', description: 'Asks who comes' });
  assert.deepEqual(steps, [
    {
      ...{ name: 'ask-1', do: 'ask', buttons: [{ id: 'me', text: 'Me' }], channelId: channel.id },
      ...{ content: 'Who comes?', deciders: 2 },
    },
    { name: 'wait-1', do: 'wait', seconds: 3600, event: { type: 'message.created' } },
  ]);
  settings.client.assertSound();
});
