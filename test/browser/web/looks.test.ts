import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { skip } from '../../support/browser.ts';
import { Talk } from '../../support/conversation.ts';
import { go } from '../../support/everyPage.ts';
import { photo } from '../../support/pictures.ts';
import { SettingsScene } from '../../support/settingsScene.ts';
import { upload } from '../../support/uploads.ts';

const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

type Box = Record<'x' | 'y' | 'width' | 'height', number>;

describe('how the client looks', { skip }, () => {
  let talk: Talk;
  before(async () => {
    talk = await Talk.open();
    for (let at = 0; at < 40; at++) await talk.say('ben', `${at} words `.repeat(20));
    await talk.readAll('ada');
  });
  after(() => talk?.client.close());

  test('no words show beside the day that stays at the top', async () => {
    for (const options of [phone, { viewport: { width: 1440, height: 900 } }]) {
      const page = await talk.look('ada', options);
      await page.getByText('39 words').waitFor();
      const band = (await page.locator('.timeline-scroller').boundingBox()) ?? assert.fail();
      const pill = (await page.locator('[data-day]').boundingBox()) ?? assert.fail();
      assert.ok(pill.y - band.y < 16, 'the day is at the top');
      // From the first words of a message to the pill, as high as the pill.
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

  test('a picture is shown as a whole, entries go on to the edge, and rows begin where their heading does', async () => {
    const { data: file } = await upload(
      talk.client.world,
      talk.as.ada,
      new Uint8Array(await photo(1200, 1600).png().toBuffer()),
      'tall.png',
    );
    await talk.say('ada', 'Look', { attachmentIds: [file.id] });
    const page = await talk.look('ada', { viewport: { width: 1280, height: 640 } });
    // All at the same moment: dialogs and panels move as they open.
    const boxesOf = (...selectors: string[]) =>
      page.evaluate<[Box, Box]>(
        `${JSON.stringify(selectors)}.map((of) => document.querySelector(of).getBoundingClientRect().toJSON())`,
      );
    await page.getByRole('button', { name: /tall\.png/ }).click();
    await page.locator('.lightbox-stage:not(:has(.spinner)) img').waitFor();
    const [picture, stage] = await boxesOf('.lightbox-picture', '.lightbox-stage');
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

  test('on a phone long names end at the edge, and what opens is a sheet from below', async () => {
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
    assert.ok(head && text && text.y - head.y < 28, 'the text is below its author at once');
    await go(page, `/s/${server.id}/c/${long.id}?panel=search&q=first`);
    await page.getByRole('button', { name: 'Filters' }).click();
    await page.getByRole('dialog', { name: 'Filters' }).waitFor();
    const [sheet, ...days] = await boxesOf('.search-filters, .search-days input');
    assert.deepEqual([sheet?.x, sheet?.width, (sheet?.y ?? 0) + (sheet?.height ?? 0)], [0, 390, 844]);
    assert.ok(days.length === 2 && days.every(({ width }) => width > 120), 'a date has room');
    await page.keyboard.press('Escape');

    // The list is what the page has then: it is no control, and gets no ring.
    await go(page, `/s/${server.id}`);
    await page.evaluate(`document.querySelector('#main').focus()`);
    assert.equal(
      await page.evaluate(`getComputedStyle(document.querySelector('#main')).outlineStyle`),
      'none',
    );
    await page.context().close();
  });

  test('in forced colours, what is chosen, new, on and in focus shows by a colour of theirs', async () => {
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
});

describe('how settings look', { skip }, () => {
  let settings: SettingsScene;
  before(async () => {
    settings = await SettingsScene.open();
    for (let at = 0; at < 9; at++) await settings.scene.role({ name: `Role number ${at}` });
  });
  after(() => settings?.close());

  test('the matrix of roles shows that there is more at its edge, and scrolls by keys beside the names', async () => {
    const page = await settings.at('roles', undefined, { viewport: { width: 1280, height: 900 } });
    const frame = page.getByRole('region', { name: 'Permissions by role' });
    const name = page.getByRole('rowheader').first();
    const { x, y, width } = (await frame.boundingBox()) ?? assert.fail();
    const row = (await name.boundingBox()) ?? assert.fail();
    // Above the switches of the first row, where a cell is empty.
    const edge = () => page.screenshot({ clip: { x: x + width - 14, y: row.y + 2, width: 10, height: 6 } });
    assert.ok(row.y > y);
    const more = await edge();
    await frame.focus();
    await page.keyboard.press('ArrowRight');
    const box = `document.querySelector('.setting-role-matrix-frame')`;
    const left = () => page.evaluate<number>(`${box}.scrollLeft`);
    for (let turn = 0; turn < 50 && (await left()) === 0; turn++) await page.waitForTimeout(20);
    assert.ok((await left()) > 0, 'by the arrow key');
    await page.evaluate(`${box}.scrollTo(1e6, 0)`);
    assert.deepEqual(await name.boundingBox(), row, 'the names stay');
    const end = await edge();
    assert.notDeepEqual(more, end, 'a shadow as long as there is more');
  });

  test('no word of a table breaks in two, and what is below a row begins where its words do', async () => {
    const { scene, client } = settings;
    await settings.member('Mei (design)');
    await scene.secret({ name: 'Alerts of the weather at Wolfeschlegelsteinhausen' });
    const banned = await client.world.user({ name: 'Mallory' });
    await scene.make('/server-bans', { userId: banned.id, reason: 'Spam' });
    const page = await settings.at('usage', undefined, { viewport: { width: 1440, height: 900 } });
    await page.getByRole('cell', { name: 'Never' }).first().waitFor();
    // Names may: they have no end.
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
    // Where only one column of the matrix had room, there is one role at a time.
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
    assert.ok(await page.evaluate<boolean>(inside), 'facts are whole where the page goes the other way');

    await go(page, settings.path('members'));
    await page.locator(`.setting-row [data-initials="MD"]`).waitFor();
    await page.getByRole('button', { name: `Actions for ${scene.owner.name}`, exact: true }).click();
    assert.equal(await page.locator('.menu hr').count(), 0, 'no line that parts nothing');
    await page.keyboard.press('Escape');
    await page.context().close();
  });

  test('one’s own pages are those of this device, and a dialog begins in its first field', async () => {
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

  test('the numbers of a chart stay inside of it, and apart from each other', async () => {
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
});
