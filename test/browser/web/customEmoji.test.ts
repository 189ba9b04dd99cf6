import assert from 'node:assert/strict';

import type { Page } from 'playwright-core';
import { violationsInThemes } from '../../support/axe.ts';
import { after, afterEach, before, test } from '../../support/browser.ts';
import { Composing, fieldOf, hasText } from '../../support/composing.ts';
import { dataOf } from '../../support/expect.ts';
import { photo } from '../../support/pictures.ts';
import { until } from '../../support/process.ts';
import { upload } from '../../support/uploads.ts';
import { withoutWorker } from '../../support/webClient.ts';
import type { Json } from '../../support/world.ts';

// Custom emoji: their settings, and how they are chosen and shown.

let scene: Composing;
let bytes: Buffer<ArrayBuffer>;
before(async () => {
  scene = await Composing.open();
  bytes = Buffer.from(await photo(64, 64).png().toBuffer());
});
afterEach(() => scene.client.surfer.close());
after(() => scene?.close());

/** Adds an emoji without a browser. */
const add = async (name: string): Promise<Json> =>
  dataOf(await upload(scene.client.world, scene.api, bytes, 'e.png', { path: '/emoji', fields: { name } }));
const settings = (page: Page) => page.goto(`/s/${scene.server.id}/settings/emoji`);
/** A custom emoji whose picture has loaded. */
async function picture(page: Page, within: string, name: string): Promise<void> {
  await page
    .locator(within)
    .getByRole('img', { name: `:${name}:`, exact: true })
    .first()
    .waitFor();
  const isLoaded = `[...document.querySelectorAll(${JSON.stringify(`${within} img`)})].some((image) => image.alt === ':${name}:' && image.naturalWidth > 0)`;
  await until(() => page.evaluate<boolean>(isLoaded));
}
const say = async (content: string): Promise<Json> =>
  dataOf(await scene.api.post('/messages', { channelId: scene.general.id, content }));

test('an admin adds an emoji with a preview, sees clear errors, and deletes it', async () => {
  const page = await scene.window(scene.ada, scene.general);
  await page.keyboard.press('Control+k');
  await page.keyboard.type('custom emoji');
  await page.getByRole('option', { name: /Emoji/ }).first().click();
  await page.getByText('No custom emoji yet').waitFor();
  await page.getByRole('button', { name: 'Add emoji' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add emoji' });
  const submit = dialog.getByRole('button', { name: 'Add emoji' });
  const name = dialog.getByLabel('Name');
  const file = dialog.locator('input[type=file]');
  const image = (buffer: Buffer, fileName = 'e.png') => ({ name: fileName, mimeType: 'image/png', buffer });
  await name.fill('x');
  await submit.click();
  await dialog.getByText('Choose an image first.').waitFor();
  await name.fill('');
  await file.setInputFiles(image(Buffer.from('no image')));
  await dialog.getByText("This image can't be read. Choose another one.").waitFor();
  await file.setInputFiles(image(await photo(1_100, 20).png().toBuffer()));
  await dialog.getByText(/is 20 × 1,100 pixels/).waitFor();
  await file.setInputFiles(image(Buffer.alloc(1_000_001)));
  await dialog.getByText('This image is larger than 1 MB. Choose a smaller one.').waitFor();
  await file.setInputFiles(image(bytes, 'Party Parrot.png'));
  await dialog.getByRole('img', { name: 'Preview' }).waitFor();
  await name.fill('party parrot');
  await submit.click();
  await dialog.getByText(/only letters, digits/).waitFor();
  assert.deepEqual(await violationsInThemes(page, 'dialog'), []);
  // Colons, which people may copy along with a name, are removed.
  await name.fill(':Party_Parrot:');
  await submit.click();
  await page.getByRole('region').getByText('Emoji :party_parrot: added.').waitFor();
  await picture(page, '.setting-row', 'party_parrot');
  assert.deepEqual(await violationsInThemes(page), []);

  await page.getByRole('button', { name: 'Add emoji' }).click();
  await file.setInputFiles(image(bytes, 'party_parrot.png'));
  await submit.click();
  await dialog.getByText(/already exists/).waitFor();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await page.setViewportSize({ width: 390, height: 844 });
  assert.equal(
    await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth'),
    0,
  );
  await page.getByRole('button', { name: 'Delete :party_parrot:' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByText('No custom emoji yet').waitFor();
  scene.client.assertSound();
});

test('all members see the emoji, but only permitted ones can change them', async () => {
  const page = await scene.client.signedIn(scene.ben, '/');
  await settings(page);
  await page.getByText('You can view this but not edit it').waitFor();
  const made = await add('live');
  await picture(page, '.setting-row', 'live');
  assert.equal(await page.getByRole('button', { name: 'Delete :live:' }).count(), 0);
  assert.equal(await page.getByRole('button', { name: 'Add emoji' }).count(), 0);
  dataOf(await scene.api.delete(`/emoji/${made.id}`));
  await page.getByText('No custom emoji yet').waitFor();
  scene.client.assertSound();
});

test('emoji are completed, picked, sent and shown as pictures, in every script', async () => {
  const [parrot] = [await add('party_parrot'), await add('समोसा'), await add('tada')];
  const page = await scene.window(scene.ben, scene.general);
  await fieldOf(page).focus();
  await page.keyboard.type(':party_p');
  await page.getByRole('option', { name: ':party_parrot:' }).waitFor();
  await picture(page, '.completion', 'party_parrot');
  await page.keyboard.press('Enter');
  await hasText(page, ':party_parrot: ');
  await page.keyboard.type(':समो');
  await page.getByRole('option', { name: ':समोसा:' }).waitFor();
  await page.keyboard.press('Tab');
  await hasText(page, ':party_parrot: :समोसा: ');
  // The server's custom emoji takes precedence over the built-in shortcode.
  await page.keyboard.type(':tada:');
  await hasText(page, ':party_parrot: :समोसा: :tada:');
  await page.keyboard.press('Enter');
  for (const name of ['party_parrot', 'समोसा', 'tada']) await picture(page, '.markdown-large', name);
  await scene.until(scene.general, [':party_parrot: :समोसा: :tada:']);

  await page.getByRole('button', { name: 'Emoji', exact: true }).click();
  const picker = page.getByRole('dialog', { name: 'Emoji' });
  await picker.getByRole('rowgroup', { name: 'Custom' }).waitFor();
  await picker.getByRole('combobox').fill('parrot');
  assert.deepEqual(await violationsInThemes(page, '.emoji-picker'), []);
  await picker.getByRole('gridcell', { name: ':party_parrot:' }).click();
  await picker.waitFor({ state: 'detached' });
  await hasText(page, ':party_parrot:');
  await page.keyboard.type(' is here, not `:tada:` or :nosuch:');
  await page.keyboard.press('Enter');
  await picture(page, '.message:not(:has(.markdown-large))', 'party_parrot');
  await page.getByText('is here, not :tada: or :nosuch:').waitFor();
  assert.equal(await page.locator('code', { hasText: ':tada:' }).count(), 1);

  const message = await say('react to this');
  const row = page.locator(`[data-message="${message.id}"]`);
  await row.hover();
  await row.getByRole('button', { name: 'React with :party_parrot:' }).click();
  await picture(page, '.reaction', 'party_parrot');
  const chip = row.getByRole('button', { name: ':party_parrot:, 1 reaction, including yours' });
  await chip.hover();
  await page.getByText('Ben Okri: :party_parrot:').waitFor();
  await row.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'View reactions' }).click();
  await picture(page, '[role=tab]', 'party_parrot');
  await page.keyboard.press('Escape');
  assert.deepEqual(await violationsInThemes(page, 'main'), []);

  // Once the emoji is deleted, its name is shown instead.
  dataOf(await scene.api.delete(`/emoji/${parrot?.id}`));
  await chip.getByText(':party_parrot:').waitFor();
  assert.equal(await page.getByRole('img', { name: ':party_parrot:' }).count(), 0);
  await row.hover();
  assert.equal(await row.getByRole('button', { name: 'React with :party_parrot:' }).count(), 0);
  scene.client.assertSound();
});

test('without a connection, an uncached emoji is shown as its name', async () => {
  await add('late');
  await say('so :late:');
  const page = await scene.client.signedIn(scene.ben, '/', withoutWorker);
  await page.route('**/pictures/**', (route) => route.abort());
  await page.goto(scene.path(scene.general));
  await page.getByText('so :late:').waitFor();
});
