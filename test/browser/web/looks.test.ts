import assert from 'node:assert/strict';
import { after, before, test } from '../../support/browser.ts';
import { Talk } from '../../support/conversation.ts';
import { go } from '../../support/everyPage.ts';
import { photo } from '../../support/pictures.ts';
import { upload } from '../../support/uploads.ts';

const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

type Box = Record<'x' | 'y' | 'width' | 'height', number>;

let talk: Talk;
before(async () => {
  talk = await Talk.open();
  for (let at = 0; at < 40; at++) await talk.say('ben', `${at} words `.repeat(20));
  await talk.readAll('ada');
});
after(() => talk?.client.close());

test('the sticky date hides the messages next to it', async () => {
  for (const options of [phone, { viewport: { width: 1440, height: 900 } }]) {
    const page = await talk.look('ada', options);
    await page.getByText('39 words').waitFor();
    const band = (await page.locator('.timeline-scroller').boundingBox()) ?? assert.fail();
    const pill = (await page.locator('[data-day]').boundingBox()) ?? assert.fail();
    assert.ok(pill.y - band.y < 16, 'the day is at the top');
    // The area from the start of the message text to the pill, as high as the pill.
    const clip = { x: band.x + 60, y: band.y, width: pill.x - band.x - 64, height: pill.height };
    const shots = new Set<string>();
    for (let step = 0; step < 4; step++) {
      await page.evaluate(`document.querySelector('.timeline-scroller').scrollTop -= 37`);
      shots.add((await page.screenshot({ clip })).toString('base64'));
    }
    assert.equal(shots.size, 1, `at ${options.viewport.width} px`);
    await page.close();
  }
});

test('an image is shown in full, rows extend to the edge, and they align with their heading', async () => {
  const { data: file } = await upload(
    talk.client.world,
    talk.as.ada,
    new Uint8Array(await photo(1200, 1600).png().toBuffer()),
    'tall.png',
  );
  await talk.say('ada', 'Look', { attachmentIds: [file.id] });
  const page = await talk.look('ada', { viewport: { width: 1280, height: 640 } });
  // Measured in the same frame, because dialogs and panels are animated when they open.
  const boxesOf = (...selectors: string[]) =>
    page.evaluate<[Box, Box]>(
      `${JSON.stringify(selectors)}.map((of) => document.querySelector(of).getBoundingClientRect().toJSON())`,
    );
  await page.getByRole('button', { name: /tall\.png/ }).click();
  await page.locator('.lightbox-stage:not(:has(.spinner)) img').waitFor();
  const [picture, stage] = await boxesOf('.lightbox-picture', '.lightbox-stage');
  // The image viewer fills the window, with a black background in both themes.
  assert.ok(stage.width > 1200 && stage.height > 480, `${stage.width} × ${stage.height}`);
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme });
    const behind = `getComputedStyle(document.querySelector('dialog:has(.lightbox)')).backgroundColor`;
    assert.match(await page.evaluate<string>(behind), /^rgba\(0, 0, 0, 0\.\d+\)$/);
  }
  assert.ok(picture.y >= stage.y - 1 && picture.x >= stage.x - 1);
  assert.ok(picture.y + picture.height <= stage.y + stage.height + 1, `${picture.height} px high`);
  await page.keyboard.press('Escape');

  await page.keyboard.press('Control+k');
  await page.getByRole('option').first().waitFor();
  const [entries, dialog] = await boxesOf('.palette-list', 'dialog[open]:has(.palette-list)');
  assert.ok(Math.abs(entries.y + entries.height - dialog.y - dialog.height) < 2);
  await page.keyboard.press('Escape');

  await page.getByRole('button', { name: 'Members', exact: true }).click();
  await page.locator('.member-row').first().waitFor();
  const [heading, avatar] = await boxesOf('.side-panel-group', '.member-row .avatar');
  assert.equal(avatar.x, heading.x);
  await page.close();
});

test('long names are truncated on a phone, and popups open as bottom sheets', async () => {
  const { client, as, server } = talk;
  const name = `${'a-long-name-'.repeat(7)}of-a-channel`;
  const description = `See https://a.example/${'a/very/long/address/'.repeat(6)}`;
  const { data: long } = await as.ada.post('/channels', { serverId: server.id, name, description });
  const { data: message } = await as.ben.post('/messages', { channelId: long.id, content: 'first' });
  for (const emoji of ['🎉', '👍', '🚀', '👀', '🔥', '🙏', '💯'])
    await as.ben.post('/reactions', { messageId: message.id, emoji });
  await as.ada.post('/pins', { messageId: message.id });
  const page = await client.signedIn(talk.ada, `/s/${server.id}/c/${long.id}`, {
    ...phone,
    reducedMotion: 'reduce',
  });
  await page.locator('.reaction').first().waitFor();
  const boxesOf = (selector: string) =>
    page.evaluate<Box[]>(
      `[...document.querySelectorAll('${selector}')].map((one) => one.getBoundingClientRect().toJSON())`,
    );
  for (const { x, width } of await boxesOf('.timeline-beginning > *')) assert.ok(x + width <= 390);
  assert.equal(
    await page.evaluate(
      `getComputedStyle(document.querySelector('.composer-field'), '::placeholder').textOverflow`,
    ),
    'ellipsis',
  );
  assert.deepEqual([...new Set((await boxesOf('.reaction')).map(({ height }) => height))], [36]);

  await go(page, `/s/${server.id}/c/${long.id}?panel=pins`);
  const [head, text] = await boxesOf('.message-card-head, .message-card-text');
  assert.ok(head && text && text.y - head.y < 28, 'the text is below its author immediately');
  await go(page, `/s/${server.id}/c/${long.id}?panel=search&q=first`);
  await page.getByRole('button', { name: 'Filters' }).click();
  await page.getByRole('dialog', { name: 'Filters' }).waitFor();
  const [sheet, ...days] = await boxesOf('.search-filters, .search-days input');
  assert.deepEqual([sheet?.x, sheet?.width, (sheet?.y ?? 0) + (sheet?.height ?? 0)], [0, 390, 844]);
  assert.ok(days.length === 2 && days.every(({ width }) => width > 120), 'a date fits');
  await page.keyboard.press('Escape');

  // The channel list now fills the page. It is not a control, so it has no focus ring.
  await go(page, `/s/${server.id}`);
  await page.evaluate(`document.querySelector('#main').focus()`);
  assert.equal(await page.evaluate(`getComputedStyle(document.querySelector('#main')).outlineStyle`), 'none');
  await page.context().close();
});

test('fields have a font size of at least 16 px on touch devices, so that iPhones do not zoom', async () => {
  let page = await talk.look('ada', phone);
  const small = async (path: string) => {
    await go(page, path);
    await page.locator('input:visible, textarea:visible').first().waitFor();
    return page.evaluate<string[]>(
      `[...document.querySelectorAll('input, textarea, select')]
        .filter((one) => one.checkVisibility() && Number.parseFloat(getComputedStyle(one).fontSize) < 16)
        .map((one) => one.className + ' of ' + location.pathname)`,
    );
  };
  const settings = `/s/${talk.server.id}/settings`;
  const own = ['/me/profile', '/me/appearance'];
  for (const path of [talk.path(), `${talk.path()}?panel=search`, `${settings}/members`, ...own])
    assert.deepEqual(await small(path), []);
  await page.goto('/me/appearance');
  await page.getByText('Compact', { exact: true }).click();
  await page.getByText('85%', { exact: true }).click();
  await page.locator('html[style*="font-size: 85%"]').waitFor();
  for (const path of [talk.path(), `${talk.path()}?panel=search`])
    assert.deepEqual(await small(path), [], 'even with smaller text');
  await page.context().close();
  page = await talk.client.visit('/sign-in', phone);
  assert.deepEqual(await small('/sign-in'), []);
  await page.context().close();
});

test('forced colours show selected, unread, enabled and focused elements in system colours', async () => {
  const { client, ada, as, server } = talk;
  const { data: other } = await as.ada.post('/channels', { serverId: server.id, name: 'elsewhere' });
  await as.ben.post('/messages', { channelId: other.id, content: `@${ada.username}, look` });
  const page = await talk.look('ada', { forcedColors: 'active', viewport: { width: 1280, height: 800 } });
  await page.locator('.channel-row-mentions').waitFor();
  const colours = (selector: string, field: string) =>
    page.evaluate<string[]>(`(() => {
      const probe = document.body.appendChild(document.createElement('i'));
      probe.style.forcedColorAdjust = 'none';
      const names = ['Canvas', 'CanvasText', 'Highlight', 'HighlightText'];
      const named = (value) => names.filter((name) => {
        probe.style.color = name;
        return getComputedStyle(probe).color === value;
      });
      const [element, pseudo] = ${JSON.stringify(selector)}.split('::');
      const found = named(getComputedStyle(document.querySelector(element), pseudo && '::' + pseudo).${field});
      probe.remove();
      return found;
    })()`);
  const shows = async (selector: string, field: string, name: string) =>
    assert.ok((await colours(selector, field)).includes(name), `${selector}: ${field} is not ${name}`);
  await shows('.channel-row[aria-current]', 'backgroundColor', 'Highlight');
  await shows('.channel-row[aria-current] .channel-row-name', 'color', 'HighlightText');
  assert.deepEqual(await colours('.channel-row:not([aria-current])', 'backgroundColor'), []);
  await shows('.channel-row-mentions', 'backgroundColor', 'CanvasText');
  await shows('.rail-link[aria-current]::before', 'backgroundColor', 'Highlight');
  await shows('.icon-button-news', 'backgroundColor', 'Highlight');
  await page.keyboard.press('Escape');
  await page.locator('.channel-row[aria-current]').focus();
  await page.keyboard.press('Tab');
  await shows(':focus-visible', 'outlineColor', 'CanvasText');

  await page.goto('/me/appearance');
  const toggle = page.getByRole('switch', { name: 'Reduce motion' });
  await toggle.waitFor();
  await shows('.check-switch .check-thumb', 'backgroundColor', 'CanvasText');
  await toggle.click();
  await page.waitForTimeout(300);
  await shows('.check-switch .check-input', 'backgroundColor', 'Highlight');
  await shows('.check-switch .check-thumb', 'backgroundColor', 'HighlightText');
  await shows('.choice-option:has(:checked)', 'backgroundColor', 'Highlight');
  await page.context().close();
  client.assertSound();
});
