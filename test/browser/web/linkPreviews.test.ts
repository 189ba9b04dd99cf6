import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { violationsInThemes } from '../../support/axe.ts';
import { after, afterEach, before, test } from '../../support/browser.ts';
import { dataOf } from '../../support/expect.ts';
import { PanelScene } from '../../support/panelScene.ts';
import { photo } from '../../support/pictures.ts';
import { until } from '../../support/process.ts';
import { WebClient, withoutWorker } from '../../support/webClient.ts';

const picture = await photo().png().toBuffer();
const site = createServer(({ url }, response) =>
  url === '/photo.png'
    ? response.writeHead(200, { 'content-type': 'image/png' }).end(picture)
    : response
        .writeHead(200, { 'content-type': 'text/html' })
        .end(
          '<title>Tide &lt;tables&gt;</title><meta name=description content="High water"><meta property=og:site_name content=Harbour><meta property=og:image content=photo.png>',
        ),
);
let url: string;
let client: WebClient;
before(async () => {
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(site.address() as AddressInfo).port}/tide`;
  client = await WebClient.open({ limits: { '*': 0 }, timers: true, privateWebhooks: true });
});
afterEach(() => client.surfer.close());
after(async () => {
  site.close();
  await client?.close();
});

test('an admin turns on link previews, and the author of a message removes them', async () => {
  const scene = await PanelScene.open(client);
  const settings = await client.signedIn(scene.ada, `/s/${scene.server.id}/settings`, withoutWorker);
  await settings.getByRole('switch', { name: 'Show previews of links' }).click();
  await settings.getByRole('button', { name: 'Save changes' }).click();
  await until(async () => dataOf(await scene.asAda.get(`/servers/${scene.server.id}`)).linkPreviews === true);

  const author = await scene.look(scene.ben);
  const reader = await scene.look(scene.ada);
  await scene.send(scene.asBen, `Look: ${url}`);
  for (const page of [author, reader]) {
    const link = page.getByRole('link', { name: 'Tide <tables>' });
    await link.waitFor();
    assert.equal(await link.getAttribute('href'), url);
    assert.equal(await link.getAttribute('rel'), 'noopener noreferrer');
    await page.getByText('High water').waitFor();
    const image = page.getByRole('img', { name: 'Tide <tables>' });
    await image.and(page.locator('.picture-image-shown')).waitFor();
    const source = (await image.getAttribute('src')) ?? '';
    assert.match(source, /^\/api\/v1\/attachments\/[^/]+\/content$/);
  }
  await reader.getByRole('button', { name: 'Open Tide <tables>' }).press('Enter');
  await reader.getByRole('dialog').getByRole('img', { name: 'Tide <tables>' }).waitFor();
  await reader.keyboard.press('Escape');
  assert.deepEqual(await violationsInThemes(author), []);
  await author.getByRole('button', { name: 'Remove link previews' }).press('Enter');
  for (const page of [author, reader]) await page.getByText('High water').waitFor({ state: 'detached' });
  client.assertSound();
});
