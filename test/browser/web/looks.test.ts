import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { skip } from '../../support/browser.ts';
import { Talk } from '../../support/conversation.ts';

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
});
