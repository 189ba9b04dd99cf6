// @run chromium: the headless shell lacks offline storage
import assert from 'node:assert/strict';
import { PASSWORD } from '../../support/account.ts';
import { after, before, Surfer, test } from '../../support/browser.ts';
import { fieldOf, send } from '../../support/composing.ts';
import { Stage } from '../../support/process.ts';

const stage = new Stage();
let surfer: Surfer;
before(async () => {
  surfer = await Surfer.open('whole');
});
after(async () => {
  await surfer?.close();
  await stage.close();
});

test('the client sends every queued message once and in order after its server was killed', async () => {
  const folder = stage.folder();
  let running = await stage.start(folder);
  const { url, key, channelId } = running;
  const link = /link_plv_\w+/.exec(running.output())?.[0];
  const page = await surfer.page({ baseURL: url });
  await page.goto('/healthz');
  await page.evaluate(`fetch('/api/people/links/claim', {
    method: 'POST', headers: { 'content-type': 'application/json', 'palaver-server': 'none' },
    body: JSON.stringify({ token: '${link}', password: '${PASSWORD}' }),
  }).then((answer) => answer.json())`);
  await page.goto('/');
  await fieldOf(page).waitFor();
  await send(page, 'mine 1');
  await page.locator('article').getByText('mine 1').waitFor();
  await page.waitForTimeout(500);
  await running.end('SIGKILL');
  await send(page, 'mine 2');
  await send(page, 'mine 3');
  await page.getByText('mine 3').waitFor();
  running = await stage.start(folder, { args: ['--port', new URL(url).port] });
  assert.equal(running.url, url);
  const sent = async () => {
    const answer = await fetch(`${url}/api/v1/channels/${channelId}/messages`, {
      headers: { authorization: `Bearer ${key}` },
    });
    const { data } = (await answer.json()) as { data: { content: string }[] };
    return data.map(({ content }) => content).reverse();
  };
  const end = Date.now() + 60_000;
  while ((await sent()).length < 3 && Date.now() < end) await page.waitForTimeout(300);
  assert.deepEqual(await sent(), ['mine 1', 'mine 2', 'mine 3']);
  await page.reload();
  await page.locator('article').nth(2).waitFor();
  assert.equal(await page.locator('article').count(), 3);
  assert.deepEqual(await sent(), ['mine 1', 'mine 2', 'mine 3']);
});
