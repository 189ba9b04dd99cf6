import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { skip } from '../../support/browser.ts';
import { Talk } from '../../support/conversation.ts';
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
    const frame = page.getByRole('region', { name: 'What each role allows' });
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
