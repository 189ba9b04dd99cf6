import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { violationsInThemes } from '../../support/axe.ts';
import { after, afterEach, before, test } from '../../support/browser.ts';
import { Composing, fieldOf, hasText } from '../../support/composing.ts';
import { dataOf } from '../../support/expect.ts';
import { until } from '../../support/process.ts';
import { withoutWorker } from '../../support/webClient.ts';
import type { Client, Json } from '../../support/world.ts';

// Agents' commands, which people use from the composer.

const phone = { viewport: { width: 390, height: 780 }, hasTouch: true, isMobile: true };

let scene: Composing;
let bot: Client;
before(async () => {
  scene = await Composing.open();
  const { world } = scene.client;
  const agent = await world.user({ agent: true, username: 'deployer', name: 'Deployer' });
  bot = await world.client(scene.server, ['canEditData'], agent);
  const options = [
    {
      name: 'service',
      description: 'What to deploy',
      type: 'choice',
      choices: ['web', 'api server'],
      required: true,
    },
    { name: 'who', type: 'user', required: true },
    { name: 'count', type: 'number' },
    { name: 'note', description: 'Why', type: 'text' },
  ];
  dataOf(await bot.post('/commands', { name: 'deploy', description: 'Deploys a service', options }));
  dataOf(await bot.post('/commands', { name: 'status', description: 'Says how things are' }));
});
afterEach(() => scene.client.surfer.close());
after(() => scene?.close());

const chosen = (page: Page) => page.getByRole('option', { selected: true });
/** The agent's pending interactions in a channel. */
const waiting = async ({ id }: Json): Promise<Json[]> =>
  dataOf(await bot.get(`/interactions?state=pending&channelId=${id}`));
async function asked(channel: Json): Promise<Json> {
  await until(async () => (await waiting(channel)).length > 0);
  return (await waiting(channel))[0] as Json;
}
const answer = async ({ id }: Json, body: object) =>
  dataOf(await bot.post(`/interactions/${id}/answer`, body));

test('a command and its options are completed with the keyboard', async () => {
  const channel = await scene.channel({ name: 'keyboard' });
  const page = await scene.window(scene.ada, channel);
  await page.keyboard.type('/');
  await page.getByRole('listbox', { name: 'Commands' }).waitFor();
  assert.equal(await page.getByRole('option').count(), 2);
  assert.deepEqual(await violationsInThemes(page, '.composer'), []);
  await page.keyboard.type('dep');
  await chosen(page).getByText('/deploy').waitFor();
  await page.keyboard.press('Enter');
  await chosen(page).getByText('web').waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await hasText(page, '/deploy service:"api server" ');
  await page.keyboard.type('be');
  await chosen(page).getByText('Ben Okri').waitFor();
  await page.keyboard.press('Tab');
  await hasText(page, '/deploy service:"api server" who:@ben ');
  await page.keyboard.type('no');
  await chosen(page).getByText('note').waitFor();
  await page.keyboard.press('Enter');
  await page.keyboard.type('"all green" 3');
  await page.keyboard.press('Enter');
  const made = await asked(channel);
  assert.deepEqual(made.options, { service: 'api server', who: scene.ben.id, count: 3, note: 'all green' });
  await hasText(page, '');
  assert.deepEqual(await scene.sent(channel), [], 'the command is not sent as a message');
  await answer(made, { content: 'Deployed.' });
  await page.locator('article').getByText('Deployed.').waitFor();
  scene.client.assertSound();
});

test('the outcome of a command is shown only to the person who used it, even after a reload', async () => {
  for (const [name, device] of Object.entries({ desktop: {}, phone })) {
    const channel = await scene.channel({ name });
    const page = await scene.window(scene.ada, channel, device);
    const other = await scene.window(scene.ben, channel);
    const notes = page.locator('.command-notes');
    await fieldOf(page).fill('/status');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await notes.getByText('Waiting for Deployer…').waitFor();
    await page.reload();
    await notes.getByText('/status').waitFor();
    await notes.getByText('Waiting for Deployer…').waitFor();
    await answer(await asked(channel), { ephemeral: 'All **good**' });
    await notes.getByText('Only you can see this').waitFor();
    await notes.getByText('good').waitFor();
    assert.deepEqual(await violationsInThemes(page, '.composer'), []);
    assert.equal(await other.getByText('good').count(), 0);
    await page.reload();
    await notes.getByRole('button', { name: 'Dismiss' }).click();
    await notes.getByText('good').waitFor({ state: 'hidden' });
    await page.context().close();
  }
  scene.client.assertSound();
});

test('a command is used in a thread, and answered there', async () => {
  const channel = await scene.channel({ name: 'threads' });
  const thread = dataOf(await scene.api.post('/threads', { channelId: channel.id, name: 'Rollout' }));
  const path = `${scene.path(channel)}?thread=${thread.id}`;
  const page = await scene.client.signedIn(scene.ada, path, withoutWorker);
  const panel = page.locator('.side-panel');
  await panel.locator('.composer-field').click();
  await page.keyboard.type('/dep');
  await chosen(page).getByText('/deploy').waitFor();
  await page.keyboard.press('Enter');
  await page.keyboard.type('we');
  await chosen(page).getByText('web').waitFor();
  await page.keyboard.press('Enter');
  await page.keyboard.type('be');
  await chosen(page).getByText('Ben Okri').waitFor();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Enter');
  const notes = panel.locator('.command-notes');
  await notes.getByText('Waiting for Deployer…').waitFor();
  const made = await asked(channel);
  assert.deepEqual([made.threadId, made.options], [thread.id, { service: 'web', who: scene.ben.id }]);
  assert.equal(await page.locator('main .command-notes').getByText('/deploy').count(), 0);
  await page.reload();
  await notes.getByText('Waiting for Deployer…').waitFor();
  await answer(made, { content: 'Deployed in the thread.' });
  await panel.locator('article').getByText('Deployed in the thread.').waitFor();
  await notes.getByText('/deploy').waitFor({ state: 'hidden' });
  const posts = dataOf(await scene.api.get(`/channels/${channel.id}/messages?isThreadReply=false`));
  assert.deepEqual(posts, [], 'nothing is sent to the channel');
  scene.client.assertSound();
});

test('a command with invalid options keeps its text and shows the error; other texts are messages', async () => {
  const channel = await scene.channel({ name: 'wrong' });
  const page = await scene.window(scene.ada, channel);
  const wrong: [string, string][] = [
    ['/deploy', 'Option “service” is missing.'],
    ['/deploy service:desktop who:@ben', 'Option “service” must be one of web and api server.'],
    ['/deploy service:web who:@nobody', 'Option “who” must be a member, such as @ada.'],
    ['/deploy service:web who:@ben count:many', 'Option “count” must be a number.'],
    ['/status now', "“now” doesn't match any option of this command."],
  ];
  for (const [text, problem] of wrong) {
    await fieldOf(page).fill(text);
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await page.getByText(problem).first().waitFor();
    await hasText(page, text);
  }
  assert.deepEqual(await waiting(channel), []);
  await fieldOf(page).fill('/shrug whatever');
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await scene.until(channel, ['/shrug whatever']);
});
