import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { skip } from '../../support/browser.ts';
import { Talk } from '../../support/conversation.ts';

describe('a message list that gets shorter above the viewport', { skip }, () => {
  let talk: Talk;
  before(async () => {
    talk = await Talk.open();
    const long = Array.from({ length: 14 }, (_, line) => `line ${line}`).join('\n');
    for (let at = 0; at < 130; at++) await talk.say('ben', `${at}\n${long}`);
    for (let at = 130; at < 270; at++) await talk.say('ben', `${at}`);
    await talk.readAll('ada');
  });
  after(() => talk?.client.close());

  test('scrolling down does not jump while long messages leave the list and short ones enter', async () => {
    const page = await talk.look('ada', { viewport: { width: 1280, height: 800 } });
    await page.getByText('269', { exact: true }).waitFor();
    const jumps = await page.evaluate<string[]>(`(async () => {
      const box = document.querySelector('.timeline-scroller');
      const rest = () => new Promise((resolve) => setTimeout(resolve, 40));
      while (box.scrollTop > 0) { box.scrollTop -= 1200; await rest(); await rest(); }
      const jumps = [];
      for (let still = 0; still < 20; ) {
        const top = box.getBoundingClientRect().top;
        const row = [...box.querySelectorAll('[data-message]')].find((one) => one.getBoundingClientRect().top > top + 100);
        const [before, place] = [row.getBoundingClientRect().top, box.scrollTop];
        box.scrollTop += 150;
        const step = box.scrollTop - place;
        still = step === 0 ? still + 1 : 0;
        await rest();
        const moved = row.isConnected ? before - row.getBoundingClientRect().top : step;
        // Ignores the shorter step at the end of the list, where new rows may replace those in view.
        if (step === 150 && Math.abs(moved - step) > 2) jumps.push(row.innerText.slice(0, 8) + ' by ' + (moved - step));
      }
      return jumps;
    })()`);
    assert.deepEqual(jumps, []);
    await page.getByText('269', { exact: true }).waitFor();
    talk.client.assertSound();
  });
});
