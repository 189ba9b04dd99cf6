import assert from 'node:assert/strict';
import { join } from 'node:path';
import { seedMessages } from '../../../bench/seed.ts';
import { skip } from '../../support/browser.ts';
import { firstInView, Talk } from '../../support/conversation.ts';
import { engine } from '../../support/databases.ts';
import { settled } from '../../support/everyPage.ts';
import { testsUnless } from '../../support/skipping.ts';

const AMOUNT = 100_000;
const reason = skip || (engine === 'sqlite' ? false : 'messages are put into a file of SQLite');
const { test, before, after } = testsUnless(reason);

let talk: Talk;
before(async () => {
  talk = await Talk.open();
  const { world } = talk.client;
  seedMessages(join(world.folder, 'palaver.db'), talk.channel, talk.ben.id, AMOUNT);
  await talk.say('ada', 'the last of all');
  await talk.readAll('ada');
});
after(async () => {
  await talk?.client.close();
});

test('scrolling both ways keeps at most about 200 rows, in order and without jumps', async (t) => {
  const page = await talk.look('ada', { viewport: { width: 1280, height: 800 } });
  await page.getByText('the last of all').waitFor();
  await page.mouse.move(700, 400);
  await page.evaluate(`(() => {
    globalThis.frames = [];
    let last = performance.now();
    const tick = (now) => { frames.push(now - last); last = now; requestAnimationFrame(tick); };
    requestAnimationFrame(tick);
  })()`);
  const seen = new Set<string>();
  const look = async (way: 'up' | 'down') => {
    const rows = await page.evaluate<string[]>(
      '[...document.querySelectorAll("[data-message]")].map((row) => row.dataset.message)',
    );
    assert.ok(rows.length <= 260, `${rows.length} rows, on the way ${way}`);
    assert.deepEqual(rows, rows.toSorted(), 'in order');
    for (const id of rows) seen.add(id);
  };
  const before = await firstInView(page);
  for (let step = 0; step < 120; step++) {
    await page.mouse.wheel(0, -600);
    await page.waitForTimeout(30);
    if (step % 10 === 0) await look('up');
  }
  const there = await firstInView(page);
  assert.ok(there.id < before.id);
  assert.ok(seen.size > 1_000, `${seen.size} messages seen`);
  for (let step = 0; step < 40; step++) {
    await page.mouse.wheel(0, 600);
    await page.waitForTimeout(30);
    if (step % 10 === 0) await look('down');
  }
  assert.ok((await firstInView(page)).id > there.id);
  const frames = await page.evaluate<number[]>('frames');
  const sorted = frames.toSorted((one, other) => one - other);
  const at = (share: number) => (sorted[Math.floor(sorted.length * share)] ?? 0).toFixed(0);
  const dropped = frames.filter((ms) => ms > 34).length;
  t.diagnostic(
    `${frames.length} frames: median ${at(0.5)} ms, 95 % ${at(0.95)} ms, longest ${at(0.999)} ms, ${dropped} took more than two turns`,
  );
  talk.client.assertSound();
});

test('the list jumps to a date and back to the latest message', async () => {
  const page = await talk.look('ada');
  await page.getByText('the last of all').waitFor();
  await settled(page);
  await page.locator('[data-day]').last().click();
  const grid = page.getByRole('grid');
  await grid.waitFor();
  await grid.locator('button:not(:disabled)').last().click();
  await grid.waitFor({ state: 'detached' });
  // All messages are from today, so today begins at the first one.
  await page.locator('.timeline-beginning').waitFor({ state: 'attached' });
  await page.getByRole('button', { name: 'Jump to latest' }).click();
  await page.getByText('the last of all').waitFor();
  // The list still renders few rows, although it started far up.
  await page.mouse.move(700, 400);
  const first = (await firstInView(page)).id;
  for (let step = 0; step < 60; step++) {
    await page.mouse.wheel(0, -600);
    await page.waitForTimeout(30);
  }
  assert.ok((await firstInView(page)).id < first);
  const rows = await page.locator('[data-message]').count();
  assert.ok(rows <= 260, `${rows} rows`);
});
