import assert from 'node:assert/strict';
import { violationsIn } from '../../support/axe.ts';
import { after, before, test } from '../../support/browser.ts';
import { rowOf, Talk } from '../../support/conversation.ts';

let talk: Talk;
before(async () => {
  talk = await Talk.open();
});
after(() => talk?.client.close());

test('mentions of people, of channels and of the reader have different colours', async () => {
  const { ada, ben, channel } = talk;
  const said = await talk.say('ben', `@${ben.username} wrote in #${channel.name} to @${ada.username}`);
  await talk.readAll('ada');
  const page = await talk.look('ada');
  await rowOf(page, said).locator('.mention').nth(2).waitFor();
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    const colours = await page.evaluate<string[]>(
      `[...document.querySelectorAll('[data-message="${said.id}"] .mention')].map((one) => getComputedStyle(one).color)`,
    );
    assert.equal(new Set(colours).size, 3, `${colorScheme}: ${colours}`);
    assert.deepEqual(await violationsIn(page, { coloursAlone: true }), []);
  }
  await page.close();
});

test('a link that the client does not follow shows its target, and an empty code block is not drawn', async () => {
  const said = await talk.say(
    'ben',
    '[call](tel:+491234) or [run](javascript:go), then\n```\n```\nthat is all',
  );
  await talk.readAll('ada');
  const page = await talk.look('ada');
  const text = rowOf(page, said).locator('.markdown');
  await text.getByText('that is all').waitFor();
  assert.equal(
    (await text.innerText()).replace(/\s+/g, ' ').trim(),
    'call (tel:+491234) or run (javascript:go), then that is all',
  );
  assert.equal(await text.locator('a, pre').count(), 0);
  await page.close();
});

test('there is space between a table or code block and the next message', async () => {
  const table = await talk.say('ben', 'first\n\n| a | b |\n|---|---|\n| 1 | 2 |');
  const code = await talk.say('ben', 'then\n```\nlet a;\n```');
  const last = await talk.say('ben', 'and text');
  await talk.readAll('ada');
  const page = await talk.look('ada');
  await rowOf(page, last).waitFor();
  const gaps = await page.evaluate<number[]>(
    `[['${table.id}', 'table'], ['${code.id}', 'pre']].map(([id, name]) => {
      const row = document.querySelector('[data-message="' + id + '"]');
      return row.getBoundingClientRect().bottom - row.querySelector(name).getBoundingClientRect().bottom;
    })`,
  );
  assert.ok(gaps[0] === gaps[1] && (gaps[0] as number) >= 8, `${gaps} px`);
  await page.close();
});

test('the page reports no error and makes no requests to other hosts', () => talk.client.assertSound());
