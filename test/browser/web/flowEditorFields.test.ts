import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { after, before, test } from '../../support/browser.ts';
import { dataOf } from '../../support/expect.ts';
import { makeFlow, messages } from '../../support/flows.ts';
import { SettingsScene } from '../../support/settingsScene.ts';
import type { Json } from '../../support/world.ts';

// Fields of the flow editor: invalid JSON, and choices with their own text.

let settings: SettingsScene;
let page: Page;
let channel: Json;
before(async () => {
  settings = await SettingsScene.open({ limits: { '*': 0 }, timers: true });
  channel = await settings.scene.channel({ name: 'general' });
  page = await settings.at('flows');
});
after(() => settings?.close());

const dialog = () => page.getByRole('dialog').last();
const field = (path: string) => dialog().locator(`[name="${path}"]`);
const edit = async (flow: Json) => {
  await page.getByRole('button', { name: `Actions for ${flow.name}`, exact: true }).click();
  await page.getByRole('menuitem', { name: 'Edit', exact: true }).click();
  await dialog().getByRole('button', { name: 'Save' }).waitFor();
};
const save = () => dialog().getByRole('button', { name: 'Save' }).click();
const gone = () => page.locator('dialog[open]').waitFor({ state: 'detached' });
const stored = async ({ id }: Json): Promise<Json> => dataOf(await settings.scene.admin.get(`/flows/${id}`));

test('a flow with invalid JSON is not saved, and the field says why', async () => {
  const flow = await makeFlow(settings.scene, messages(channel.id), [
    { name: 'call', do: 'http.call', url: 'https://example.com/', json: { a: 1 } },
  ]);
  await edit(flow);
  const body = field('steps[0].json');
  await body.fill('{ "a": 2');
  await save();
  await page.locator(':focus[name="steps[0].json"]').waitFor();
  assert.equal(await body.getAttribute('aria-invalid'), 'true');
  assert.match(await dialog().locator('.field-error').innerText(), /^Invalid JSON/);
  await body.fill('{ "a": 2 }');
  await dialog().getByRole('tab', { name: 'JSON' }).click();
  for (const [text, problem] of [
    ['{', /^Invalid JSON/],
    ['', /^Enter JSON/],
    ['{ "trigger": {}, "steps": [1] }', /^Enter an object with “trigger”/],
  ] as const) {
    await field('json').fill(text);
    await save();
    await page.locator(':focus[name="json"]').waitFor();
    assert.match(await dialog().locator('.field-error').innerText(), problem);
  }
  assert.deepEqual((await stored(flow)).steps, flow.steps);
  const { trigger } = flow;
  await field('json').fill(JSON.stringify({ trigger, steps: [{ ...flow.steps[0], json: { a: 2 } }] }));
  await save();
  await gone();
  assert.deepEqual((await stored(flow)).steps[0].json, { a: 2 });
  settings.client.assertSound();
});

test('an invalid field in closed details is shown', async () => {
  const flow = await makeFlow(settings.scene, { on: 'command', command: 'lunch' }, []);
  await edit(flow);
  const summary = dialog().getByText('More options').first();
  await summary.click();
  await field('trigger.options').fill('[');
  await summary.click();
  await field('trigger.options').waitFor({ state: 'hidden' });
  await save();
  await page.locator(':focus[name="trigger.options"]').waitFor();
  await field('trigger.options').fill('');
  await save();
  await gone();
});

test('a step without a form loses the fields that are deleted from its JSON', async () => {
  const flow = await makeFlow(settings.scene, messages(channel.id), [
    { name: 'hi', do: 'pin.add', messageId: 'x' },
  ]);
  await edit(flow);
  const show = (view: string) => dialog().getByRole('tab', { name: view, exact: true }).click();
  await show('JSON');
  const step = { name: 'hi', do: 'unknown', one: 1, two: 2 };
  await field('json').fill(JSON.stringify({ trigger: flow.trigger, steps: [step] }));
  await show('Form');
  await field('steps[0]').fill('{ "do": "unknown", "two": 3 }');
  await show('JSON');
  assert.deepEqual(JSON.parse(await field('json').inputValue()).steps, [{ do: 'unknown', two: 3 }]);
  await page.keyboard.press('Escape');
  await dialog().getByRole('button', { name: 'Discard' }).click();
  await gone();
});

test('a value typed into a select can be cleared and typed again', async () => {
  const called = await makeFlow(settings.scene, messages(channel.id), []);
  const flow = await makeFlow(settings.scene, messages(channel.id), [
    { name: 'call', do: 'flow.call', flowId: '{{event.data.content}}' },
  ]);
  await edit(flow);
  const choice = dialog().getByRole('combobox', { name: 'Flow', exact: true });
  assert.equal(await choice.locator('option:checked').innerText(), 'Other…');
  await field('steps[0].flowId').fill('');
  await field('steps[0].flowId').fill(called.id);
  await choice.selectOption(flow.name);
  await field('steps[0].flowId').and(choice).waitFor();
  await save();
  await gone();
  assert.equal((await stored(flow)).steps[0].flowId, flow.id);
});
