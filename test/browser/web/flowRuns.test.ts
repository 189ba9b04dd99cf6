import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { violationsInThemes } from '../../support/axe.ts';
import { after, before, test } from '../../support/browser.ts';
import { outOfReach } from '../../support/everyPage.ts';
import { dataOf } from '../../support/expect.ts';
import { makeFlow, messages, runOf, runsOf, runsWith } from '../../support/flows.ts';
import { until } from '../../support/process.ts';
import { SettingsScene } from '../../support/settingsScene.ts';
import { q } from '../../support/sources.ts';
import type { Json } from '../../support/world.ts';

// A flow's runs: the list, the steps, the actions, and dry runs on recent events.

let settings: SettingsScene;
let page: Page;
before(async () => {
  settings = await SettingsScene.open({ limits: { '*': 0 }, timers: true });
  page = await settings.at('flows');
});
after(() => settings?.close());

const dialog = () => page.getByRole('dialog');
const rows = () => dialog().getByRole('list', { name: 'Runs' }).locator('.setting-row');
const open = async (flow: Json, item = 'Runs') => {
  await page.getByRole('button', { name: `Actions for ${flow.name}`, exact: true }).click();
  await page.getByRole('menuitem', { name: item }).click();
  await dialog().waitFor();
};
const leave = async () => {
  await page.keyboard.press('Escape');
  await dialog().waitFor({ state: 'detached' });
};

const inCase = (contains: string, step: Json): Json => ({
  do: 'if',
  where: { path: 'event.data.content', contains },
  // biome-ignore lint/suspicious/noThenProperty: the name of a field; the object is never awaited
  then: [step],
});

test('runs appear as they start and end, with their steps, and can be filtered', async () => {
  const { scene } = settings;
  const { id: channelId } = await scene.channel();
  const flow = await makeFlow(scene, messages(channelId), [
    { name: 'answer', do: 'message.send', channelId, content: 'pong {{event.data.content}}' },
    inCase('slow', { do: 'wait', seconds: 600 }),
    inCase('bad', { do: 'pin.add', messageId: 'nothing' }),
  ]);
  await open(flow);
  await dialog().getByText('No runs', { exact: true }).waitFor();
  await scene.make('/messages', { channelId, content: 'ping one' });
  await rows().getByText('Done').waitFor();
  await scene.make('/messages', { channelId, content: 'ping slow' });
  await rows().getByText('Waiting').waitFor();
  await scene.make('/messages', { channelId, content: 'ping bad' });
  await rows().getByText('Failed').waitFor();
  assert.equal(await rows().count(), 3);
  await dialog().getByText('Last 7 days: 3 runs, 1 failed.').waitFor();
  assert.match(
    await dialog().getByRole('table', { name: 'Runs in the last 7 days' }).innerText(),
    /Today\s+2\s+1/,
  );
  await rows().last().getByRole('button', { name: 'Steps' }).click();
  await rows().last().getByText('Step 1, answer: input').click();
  await rows().last().getByText('"pong ping one"').first().waitFor();
  await rows().last().getByText('Step 1, answer: output').click();
  await rows().first().getByRole('button', { name: 'Steps' }).click();
  await rows().first().getByRole('alert').first().waitFor();
  assert.deepEqual(await violationsInThemes(page, 'dialog'), []);
  const { width, height } = page.viewportSize() ?? { width: 0, height: 0 };
  await page.setViewportSize({ width: 320, height: 640 });
  assert.deepEqual(await outOfReach(page), []);
  await page.setViewportSize({ width, height });
  await rows().last().getByRole('button', { name: 'Run again' }).click();
  const done = async () => (await runsOf(scene, flow.id)).filter(({ status }) => status === 'done');
  await until(async () => (await done()).length === 2);
  const contents = await Promise.all(
    (await done()).map(async ({ id }) => (await runOf(scene, id)).steps[0].input),
  );
  assert.deepEqual(contents[1], contents[0]);
  await dialog().getByLabel('Filter by status').selectOption('Waiting');
  await rows().filter({ hasText: 'Done' }).waitFor({ state: 'detached' });
  await rows().getByText('Waiting').waitFor();
  assert.equal(await rows().count(), 1);
  await rows().getByRole('button', { name: 'Cancel run' }).click();
  await dialog().getByText('No runs', { exact: true }).waitFor();
  await dialog().getByLabel('Filter by status').selectOption('Cancelled');
  await rows().getByText('Cancelled').waitFor();
  await leave();
  settings.client.assertSound();
});

test('a run is started manually, repeated with its input, and retried after it failed', async () => {
  const { scene } = settings;
  const { id: channelId } = await scene.channel();
  const flow = await makeFlow(scene, { on: 'manual' }, [
    { name: 'one', do: 'set', values: { to: '{{input.to}}' } },
    { name: 'two', do: 'message.send', channelId: '{{input.channelId}}', content: 'hello' },
  ]);
  dataOf(await scene.admin.post(`/flows/${flow.id}/run`, { input: { to: 'ada', channelId } }));
  await runsWith(scene, flow.id, 'done');
  await open(flow);
  await rows().getByRole('button', { name: 'Run again' }).click();
  await page.getByText('Run started.').first().waitFor();
  const again = await runsWith(scene, flow.id, 'done', 2);
  assert.deepEqual(
    again.map(({ input }) => input.to),
    ['ada', 'ada'],
  );
  await dialog().getByRole('button', { name: 'Run now' }).click();
  await rows().getByText('Failed').waitFor();
  await rows().first().getByRole('button', { name: 'Retry' }).click();
  await page.getByText('The run continues with the step that failed.').first().waitFor();
  await leave();
  settings.client.assertSound();
});

test('a dry run shows each step for the last events, and writes nothing', async () => {
  const { scene } = settings;
  const { id: channelId } = await scene.channel();
  await scene.make('/messages', { channelId, content: 'ping one' });
  await scene.make('/messages', { channelId, content: 'other' });
  const flow = await makeFlow(scene, messages(channelId), [
    { name: 'answer', do: 'message.send', channelId, content: 'pong {{event.data.content}}' },
  ]);
  await open(flow, 'Try it');
  const events = () => dialog().getByRole('list', { name: 'Events' }).locator('.setting-row');
  await events().filter({ hasText: 'ping one' }).getByText('Would run').waitFor();
  await events().filter({ hasText: 'other' }).getByText("Wouldn't run").first().waitFor();
  await events().filter({ hasText: 'ping one' }).getByText('Step 1, answer: input').click();
  await events().getByText('"pong ping one"').first().waitFor();
  assert.deepEqual(await violationsInThemes(page, 'dialog'), []);
  await leave();
  assert.equal(dataOf(await scene.admin.get(`/channels/${channelId}/messages`)).length, 2);
  assert.equal((await runsOf(scene, flow.id)).length, 0);
  settings.client.assertSound();
});

test('a scheduled run that started late is marked, and members without the permission see no data', async () => {
  const { scene } = settings;
  const flow = await makeFlow(scene, { on: 'manual' }, [
    { name: 'one', do: 'set', values: { a: 'secret words' } },
  ]);
  const run: Json = dataOf(await scene.admin.post(`/flows/${flow.id}/run`, {}));
  await runsWith(scene, flow.id, 'done');
  await settings.client.world.data.db.write((tx) =>
    tx.run(q.updateTable('flowRun').set({ isLate: true, triggeredBy: 'schedule' }).where('id', '=', run.id)),
  );
  const viewer = await settings.member('Vera', await scene.role({ name: 'Viewers', canViewData: true }));
  await page.context().close();
  page = await settings.at('flows', viewer);
  await open(flow);
  await rows().getByText('Late').waitFor();
  await dialog().getByText('You can see the status and times of runs, but not their data.').waitFor();
  assert.equal(await dialog().getByRole('button', { name: 'Run again' }).count(), 0);
  await rows().getByRole('button', { name: 'Steps' }).click();
  await rows().getByText('one', { exact: true }).waitFor();
  assert.equal(await dialog().getByText('Step 1, one: output').count(), 0);
  assert.deepEqual(await violationsInThemes(page, 'dialog'), []);
  settings.client.assertSound();
});
