import assert from 'node:assert/strict';
import { Browser, giveAccount } from '../../support/account.ts';
import { violationsInThemes } from '../../support/axe.ts';
import { after, afterEach, before, test } from '../../support/browser.ts';
import { dataOf } from '../../support/expect.ts';
import { PanelScene } from '../../support/panelScene.ts';
import { until } from '../../support/process.ts';
import { WebClient, withoutWorker } from '../../support/webClient.ts';

let client: WebClient;
before(async () => {
  client = await WebClient.open({ limits: { '*': 0 } });
});
afterEach(() => client.surfer.close());
after(() => client?.close());

test('a person sets quiet hours and keywords in the settings', async () => {
  const { ada, server } = await PanelScene.open(client);
  await giveAccount(client.world, ada);
  const browser = await Browser.of(client.world, ada, server);
  const me = async () => dataOf(await browser.get('/me'));
  const page = await client.signedIn(ada, '/me/notifications', withoutWorker);
  await page.getByRole('switch', { name: 'Pause notifications on a schedule' }).click();

  await page.getByLabel('From', { exact: true }).waitFor();
  assert.deepEqual((await me()).quietHours.days, [1, 2, 3, 4, 5, 6, 7]);
  await page.getByLabel('From', { exact: true }).fill('21:30');
  await page.getByLabel('Time zone').selectOption('Europe/Berlin');
  await page.getByRole('checkbox', { name: 'Sunday' }).click();
  const days = [1, 2, 3, 4, 5, 6];
  const expected = JSON.stringify({ from: '21:30', to: '07:00', timeZone: 'Europe/Berlin', days });
  const sorted = ({ from, to, timeZone, days }: Record<string, unknown>) =>
    JSON.stringify({ from, to, timeZone, days });
  await until(async () => sorted((await me()).quietHours) === expected);

  await page.getByLabel('Your keywords').fill('harbour, release plan\n東京,');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved.').first().waitFor();
  assert.deepEqual((await me()).keywords, ['harbour', 'release plan', '東京']);
  await page.getByLabel('Your keywords').fill('!!');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('ust each have a letter or digit').first().waitFor();
  assert.deepEqual(await violationsInThemes(page), []);
  await page.getByRole('switch', { name: 'Pause notifications on a schedule' }).click();
  await until(async () => (await me()).quietHours === null);
});
