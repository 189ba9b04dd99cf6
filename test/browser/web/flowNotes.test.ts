import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { after, before, test } from '../../support/browser.ts';
import { dataOf } from '../../support/expect.ts';
import { makeFlow } from '../../support/flows.ts';
import { SettingsScene } from '../../support/settingsScene.ts';
import { update } from '../../support/sources.ts';
import type { Json } from '../../support/world.ts';

// Tests how the editor handles notes for other programs and the names of steps.

let settings: SettingsScene;
let page: Page;
let channel: Json;
before(async () => {
  settings = await SettingsScene.open({ limits: { '*': 0 } });
  channel = await settings.scene.channel({ name: 'general' });
});
after(() => settings?.close());

const dialog = () => page.getByRole('dialog').last();
const edit = async ({ name }: Json) => {
  await page.getByRole('button', { name: `Actions for ${name}`, exact: true }).click();
  await page.getByRole('menuitem', { name: 'Edit', exact: true }).click();
  await dialog().waitFor();
};
const save = () => dialog().getByRole('button', { name: 'Save' }).click();
const gone = () => page.locator('dialog[open]').waitFor({ state: 'detached' });
const read = async ({ id }: Json): Promise<Json> => dataOf(await settings.scene.admin.get(`/flows/${id}`));

test('a note that forms cannot show is shown in full, and becomes a flow when it is saved', async () => {
  const flow = await makeFlow(settings.scene, { on: 'manual' }, [], { enabled: false });
  const old = { trigger: 'on join', steps: ['greet them', 7] };
  const note = { ...old, kind: 'note', enabled: false } as const;
  await settings.scene.world.data.db.write((tx) => tx.run(update('flow', flow.id, note)));
  page = await settings.at('flows');
  await edit(flow);
  await dialog()
    .getByText(/^This flow was stored for other programs/)
    .waitFor();
  const json = dialog().locator('[name=json]');
  assert.deepEqual(JSON.parse(await json.inputValue()), old);
  assert.equal(await dialog().getByRole('tab', { name: 'Form' }).count(), 0);
  await save();
  await dialog()
    .getByText(/trigger/)
    .last()
    .waitFor();
  assert.equal((await read(flow)).kind, 'note');
  await json.fill('{"trigger": {"on": "manual"}, "steps": [{"do": "set", "values": {}}]}');
  await dialog().getByRole('tab', { name: 'Form' }).waitFor();
  await save();
  await gone();
  const { kind, enabled, steps } = await read(flow);
  assert.deepEqual([kind, enabled, steps], ['flow', false, [{ do: 'set', values: {} }]]);
  settings.client.surfer.complaints.splice(0);
});

test('renaming a step updates later steps', async () => {
  const flow = await makeFlow(settings.scene, { on: 'manual' }, [
    { name: 'answer', do: 'message.send', channelId: channel.id, content: 'Hello' },
    { name: 'keep', do: 'set', values: { id: '{{steps.answer.output.id}}' } },
    {
      name: 'call',
      do: 'http.call',
      url: 'https://example.com/',
      json: { id: '{{steps.answer.output.id}}' },
    },
  ]);
  page = await settings.at('flows');
  await edit(flow);
  await dialog().getByText('More options').first().click();
  const name = dialog().locator('[name="steps[0].name"]');
  await name.fill('keep');
  await name.fill('');
  await name.pressSequentially('reply');
  await dialog().locator('[name="steps[1].values.id"]').fill('{{steps.reply.output.id}}!');
  assert.match(await dialog().locator('[name="steps[2].json"]').inputValue(), /steps\.reply\.output/);
  await save();
  await gone();
  const { steps } = await read(flow);
  assert.deepEqual(
    [steps[0].name, steps[1].values, steps[2].json],
    ['reply', { id: '{{steps.reply.output.id}}!' }, { id: '{{steps.reply.output.id}}' }],
  );
  settings.client.assertSound();
});
