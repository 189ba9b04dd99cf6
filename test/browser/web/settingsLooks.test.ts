import assert from 'node:assert/strict';
import { after, before, test } from '../../support/browser.ts';
import { go } from '../../support/everyPage.ts';
import { SettingsScene } from '../../support/settingsScene.ts';

let settings: SettingsScene;
before(async () => {
  settings = await SettingsScene.open();
  for (let at = 0; at < 9; at++) await settings.scene.role({ name: `Role number ${at}` });
});
after(() => settings?.close());

test('the role matrix shows at its edge that it scrolls, and scrolls by keyboard while the names stay', async () => {
  const page = await settings.at('roles', undefined, { viewport: { width: 1280, height: 900 } });
  const frame = page.getByRole('region', { name: 'Permissions by role' });
  const name = page.getByRole('rowheader').first();
  const { x, y, width } = (await frame.boundingBox()) ?? assert.fail();
  const row = (await name.boundingBox()) ?? assert.fail();
  // The area above the switches in the first row, where a cell is empty.
  const edge = () => page.screenshot({ clip: { x: x + width - 14, y: row.y + 2, width: 10, height: 6 } });
  assert.ok(row.y > y);
  const more = await edge();
  await frame.focus();
  await page.keyboard.press('ArrowRight');
  const box = `document.querySelector('.setting-role-matrix-frame')`;
  const left = () => page.evaluate<number>(`${box}.scrollLeft`);
  for (let turn = 0; turn < 50 && (await left()) === 0; turn++) await page.waitForTimeout(20);
  assert.ok((await left()) > 0, 'the arrow key scrolls');
  await page.evaluate(`${box}.scrollTo(1e6, 0)`);
  assert.deepEqual(await name.boundingBox(), row, 'the names do not scroll');
  const end = await edge();
  assert.notDeepEqual(more, end, 'a shadow as long as there is more');
});

test('all settings pages have the same width, and are centred next to their menu', async () => {
  const page = await settings.at('overview', undefined, { viewport: { width: 1440, height: 900 } });
  await page.locator('nav a[href*="/settings/"]').nth(5).waitFor();
  const sections = await page.evaluate<string[]>(
    `[...document.querySelectorAll('nav a[href*="/settings/"]')].map((one) => one.pathname)`,
  );
  const found: string[] = [];
  for (const path of [...sections, '/me/profile', '/me/security', '/me/sessions']) {
    await go(page, path);
    await page.locator('.setting-page').waitFor();
    const sides = await page.evaluate<string>(
      `(() => {
        const box = document.querySelector('.setting-page').getBoundingClientRect();
        const main = document.querySelector('.sections-main');
        const before = box.left - main.getBoundingClientRect().left;
        return [box.width, before, main.clientWidth - before - box.width].map(Math.round).join(' ');
      })()`,
    );
    found.push(sides);
  }
  assert.ok(sections.length > 8);
  assert.equal(new Set(found).size, 1, [...new Set(found)].join('; '));
  const [, before, beyond] = (found[0] as string).split(' ');
  assert.equal(before, beyond);
});

test('no word in a table is broken, and details below a row align with its text', async () => {
  const { scene, client } = settings;
  await settings.member('Mei (design)');
  await scene.secret({ name: 'Alerts of the weather at Wolfeschlegelsteinhausen' });
  const banned = await client.world.user({ name: 'Mallory' });
  await scene.make('/server-bans', { userId: banned.id, reason: 'Spam' });
  const page = await settings.at('usage', undefined, { viewport: { width: 1440, height: 900 } });
  await page.getByRole('cell', { name: 'Never' }).first().waitFor();
  // Words of more than 12 characters, such as names, may be broken.
  const broken = () =>
    page.evaluate(`[...document.querySelectorAll('.table :is(td, thead th)')].flatMap((cell) => {
      const words = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
      const found = [];
      while (words.nextNode())
        for (const { 0: word, index } of words.currentNode.data.matchAll(/(?<!\\S)\\S{1,12}(?!\\S)/g)) {
          const range = document.createRange();
          range.setStart(words.currentNode, index);
          range.setEnd(words.currentNode, index + word.length);
          if (new Set([...range.getClientRects()].map(({ top }) => top)).size > 1) found.push(word);
        }
      return found;
    })`);
  for (const width of [390, 820, 1024, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    assert.deepEqual(await broken(), [], `${width} px`);
  }
  // If only one column of the matrix fits, one role is shown at a time.
  await page.setViewportSize({ width: 820, height: 900 });
  await go(page, settings.path('roles'));
  assert.deepEqual(
    [
      await page.locator('.setting-role-matrix').isVisible(),
      await page.locator('.setting-role-list').isVisible(),
    ],
    [false, true],
  );

  await go(page, settings.path('bans'));
  const [name, reason] = await Promise.all(
    ['Mallory', 'Spam'].map((text) => page.getByText(text, { exact: true }).boundingBox()),
  );
  assert.ok(name && reason && Math.abs(name.x - reason.x) < 1);
  const out = `(of) => Math.max(...[...document.querySelectorAll(of)].map((one) => one.getBoundingClientRect().right))`;
  const inside = `document.dir = 'rtl', (${out})('.setting-fact bdi') <= (${out})('.setting-row-main')`;
  assert.ok(await page.evaluate<boolean>(inside), 'facts are not cut off in a right-to-left page');

  await go(page, settings.path('members'));
  await page.locator(`.setting-row [data-initials="MD"]`).waitFor();
  await page.getByRole('button', { name: `Actions for ${scene.owner.name}`, exact: true }).click();
  assert.equal(await page.locator('.menu hr').count(), 0, 'no separator without items on both sides');
  await page.keyboard.press('Escape');
  await page.context().close();
});

test("the account pages use the reader's time format and key names, and a dialog focuses its first field", async () => {
  const { client, scene } = settings;
  const page = await client.signedIn(scene.owner, '/me/appearance', { locale: 'en-US' });
  await page.locator('.sample-time', { hasText: '2:05 PM' }).waitFor();
  await go(page, '/me/shortcuts');
  assert.equal(await page.locator('kbd', { hasText: 'Ctrl K' }).count(), 1);
  assert.equal(await page.locator('kbd', { hasText: '⌘' }).count(), 0);
  await go(page, '/me/security');
  await page.getByRole('button', { name: 'Add password' }).click();
  await page.getByLabel('New password', { exact: true }).waitFor();
  assert.equal(await page.evaluate('document.activeElement.name'), 'newPassword');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Create server' }).click();
  const [words, label] = await Promise.all(
    ['.form > p', '.form .field-label'].map((of) => page.locator(`dialog ${of}`).boundingBox()),
  );
  assert.ok(words && label && label.y - words.y - words.height >= 12);
  await page.context().close();
});

test('the numbers of a chart stay inside it and do not overlap', async () => {
  const { scene } = settings;
  await scene.message({ channelId: (await scene.channel({ name: 'counted' })).id, content: 'one' });
  const page = await settings.at('usage', undefined, { viewport: { width: 390, height: 844 } });
  const chart = page.locator('.setting-bars').first();
  await chart.locator('.setting-bars-count', { hasText: '1' }).waitFor();
  for (const width of [390, 820, 1280]) {
    await page.setViewportSize({ width, height: 844 });
    const out = await page.evaluate(
      `(() => {
        const chart = document.querySelector('.setting-bars');
        const seen = [...chart.querySelectorAll('.setting-bars-count, .setting-bars-name')]
          .filter((one) => one.textContent && one.checkVisibility({ visibilityProperty: true }))
          .map((one) => one.getBoundingClientRect());
        const { left, right } = chart.getBoundingClientRect();
        return [
          seen.length < 3 && 'no numbers',
          ...seen.map((box) => (box.left < left - 1 || box.right > right + 1) && box.right + ' beyond ' + right),
          ...seen.map((box, at) => seen.some((other, next) => next > at && other.top === box.top && other.left < box.right) && box.left + ' meets the next'),
        ].filter(Boolean);
      })()`,
    );
    assert.deepEqual(out, [], `${width} px`);
  }
});
