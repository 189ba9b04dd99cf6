import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { skip } from '../../support/browser.ts';
import { Talk } from '../../support/conversation.ts';
import { SettingsScene } from '../../support/settingsScene.ts';

const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

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

describe('the matrix of roles', { skip }, () => {
  let settings: SettingsScene;
  before(async () => {
    settings = await SettingsScene.open();
    for (let at = 0; at < 9; at++) await settings.scene.role({ name: `Role number ${at}` });
  });
  after(() => settings?.close());

  test('shows that there is more at its edge, and scrolls by keys beside the names', async () => {
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
});
