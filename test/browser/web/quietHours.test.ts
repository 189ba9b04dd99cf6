import assert from 'node:assert/strict';
import { Browser, giveAccount } from '../../support/account.ts';
import { violationsInThemes } from '../../support/axe.ts';
import { after, afterEach, before, test } from '../../support/browser.ts';
import { dataOf } from '../../support/expect.ts';
import { noticesInPage, untilNotified } from '../../support/notices.ts';
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

/** A time of day in UTC, some minutes from now. */
const minutesFromNow = (minutes: number) =>
  new Date(Date.now() + minutes * 60_000).toISOString().slice(11, 16);

test('quiet hours that are set in one tab also apply in the others', async () => {
  const scene = await PanelScene.open(client);
  const { ada } = scene;
  await giveAccount(client.world, ada);
  const browser = await Browser.of(client.world, ada, scene.server);
  const quietHours = async () => dataOf(await browser.get('/me')).quietHours;
  const page = await client.signedIn(ada, 'about:blank', withoutWorker);
  await page.context().addInitScript(noticesInPage);
  // The first tab has the stream, so it is the one that shows notifications.
  await page.goto('/me/profile');
  const second = await page.context().newPage();
  await second.goto('/me/notifications');
  const isOn = second.getByRole('switch', { name: 'Pause notifications on a schedule' });
  const inbox = page.getByRole('button', { name: /^Inbox: / });
  let sent = 0;
  const send = (text: string) => {
    sent++;
    return scene.send(scene.asBen, `${text}, @${ada.username}`);
  };
  const untilCounted = () =>
    until(async () => (await inbox.getAttribute('aria-label'))?.match(/\d+/)?.[0] === String(sent));
  await untilNotified(page, () => send('Ping'));
  await untilCounted();

  await isOn.click();
  await second.getByLabel('Time zone').selectOption('UTC');
  const [from, to] = [minutesFromNow(-60), minutesFromNow(60)];
  await second.getByLabel('From', { exact: true }).fill(from);
  await second.getByLabel('To', { exact: true }).fill(to);
  await second.getByLabel('To', { exact: true }).blur();
  await until(async () => {
    const set = await quietHours();
    return set?.from === from && set.to === to && set.timeZone === 'UTC';
  });
  await send('Quiet');
  await untilCounted();
  await isOn.click();
  await until(async () => (await quietHours()) === null);
  const has = async (text: string) =>
    (await page.evaluate<string[]>('shown.map(({ body }) => body)')).some((body) => body.startsWith(text));
  await until(async () => {
    await send('Pong');
    return has('Pong');
  });
  assert.equal(await has('Quiet'), false);
  client.assertSound();
});
