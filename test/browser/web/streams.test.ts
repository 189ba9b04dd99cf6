import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { violationsInThemes } from '../../support/axe.ts';
import { after, before, test } from '../../support/browser.ts';
import { rowOf, Talk } from '../../support/conversation.ts';
import { assertRefused, dataOf } from '../../support/expect.ts';
import { postTo } from '../../support/hookPost.ts';
import { until } from '../../support/process.ts';
import type { Json } from '../../support/world.ts';

// Agents' streamed messages and activity indicators.

let talk: Talk;
before(async () => {
  talk = await Talk.open();
  for (let count = 0; count < 60; count++) await talk.say('ben', `before ${count}`);
  await talk.readAll('ada');
});
after(() => talk?.client.close());

const begin = (more: Json = {}): Promise<Json> =>
  talk.say('bot', more.content ?? '', { ...more, streaming: true });
const append = (id: string, offset: number, text: string, done = false) =>
  talk.as.bot.post(`/messages/${id}/append`, { offset, text, done });
const stopOf = (page: Page, message: Json) =>
  rowOf(page, message as { id: string }).getByRole('button', { name: 'Stop' });
const textOf = (page: Page, { id }: Json) => page.locator(`[id="${id}-text"]`);
const reads = async (page: Page, message: Json, text: string) =>
  until(async () => (await textOf(page, message).innerText()) === text);

test('appending 200 chunks re-renders only their row, and the list stays at its end', async () => {
  const page = await talk.look('ada');
  const message = await begin();
  await stopOf(page, message).waitFor();
  await page.waitForLoadState('networkidle', { timeout: 2_000 }).catch(() => undefined);
  await page.evaluate(`globalThis.beside = []; globalThis.draws = 0;
    new MutationObserver((records) => {
      draws++;
      for (const { target } of records) {
        const at = target.nodeType === 1 ? target : target.parentElement;
        if (!at?.closest('[data-message="${message.id}"], .timeline-beginning')) beside.push(at?.outerHTML.slice(0, 500));
      }
    }).observe(document.querySelector('.timeline-content'), { subtree: true, childList: true, characterData: true });`);
  const words = Array.from({ length: 200 }, (_, at) => `word **${at}** and${at % 10 === 9 ? '\n\n' : ' '}`);
  let offset = 0;
  const start = performance.now();
  for (const word of words) ({ offset } = dataOf(await append(message.id, offset, word)));
  const took = performance.now() - start;
  await textOf(page, message).getByText('199').waitFor();
  assert.deepEqual(await page.evaluate('beside'), []);
  const draws = await page.evaluate<number>('draws');
  assert.ok(draws <= took / 80 + 4, `${draws} times in ${took} ms`);
  dataOf(await append(message.id, offset, 'the end', true));
  await stopOf(page, message).waitFor({ state: 'detached' });
  // The list scrolls to its end in the next frame.
  const below = () =>
    page.evaluate<number>(`(() => {
    const box = document.querySelector('.timeline-scroller');
    return box.scrollHeight - box.scrollTop - box.clientHeight;
  })()`);
  await until(async () => (await below()) < 5);
  await textOf(page, message).getByText('the end').waitFor();
  await page.context().close();
});

test('a reader who joins midway gets the text so far, and chunks missed offline are requested', async () => {
  const message = await begin({ content: 'One, ' });
  dataOf(await append(message.id, 5, '**two, '));
  const page = await talk.look('ada');
  await reads(page, message, 'One, two,');
  dataOf(await append(message.id, 12, 'three'));
  await reads(page, message, 'One, two, three');
  await page.context().setOffline(true);
  dataOf(await append(message.id, 17, '**, four'));
  await page.context().setOffline(false);
  dataOf(await append(message.id, 25, ', five'));
  await reads(page, message, 'One, two, three, four, five');
  assert.equal(await textOf(page, message).locator('strong').innerText(), 'two, three');
  dataOf(await append(message.id, 31, '.', true));
  await reads(page, message, 'One, two, three, four, five.');
  await page.context().close();
  // A request may have failed while the page was offline.
  const { complaints } = talk.client.surfer;
  complaints.splice(0, complaints.length, ...complaints.filter((line) => !/ERR_INTERNET/.test(line)));
});

test('a streamed message is announced once, when it is complete', async () => {
  const page = await talk.client.signedIn(talk.ada);
  await page.addInitScript(`window.heard = []; new MutationObserver((changes) => {
    for (const { target, addedNodes } of changes)
      if (target.closest?.('[role="log"]')) for (const node of addedNodes) window.heard.push(node.textContent);
  }).observe(document, { childList: true, subtree: true });`);
  await page.goto(talk.path());
  const message = await begin();
  await stopOf(page, message).waitFor();
  assert.equal(await textOf(page, message).getAttribute('aria-busy'), 'true');
  let offset = 0;
  for (const word of ['Land ', 'ho, ', 'said the bot'])
    ({ offset } = dataOf(await append(message.id, offset, word)));
  await reads(page, message, 'Land ho, said the bot');
  // Later messages are announced; the text so far was not.
  await talk.say('ben', 'Where?');
  await page.getByRole('log').getByText('Where?').waitFor({ state: 'attached' });
  dataOf(await append(message.id, offset, '.', true));
  await page.getByRole('log').getByText('Land ho').waitFor({ state: 'attached' });
  assert.equal(await textOf(page, message).getAttribute('aria-busy'), null);
  assert.deepEqual(await page.evaluate('heard'), ['Ben Okri: Where?', 'Deploy Bot: Land ho, said the bot.']);
  await page.context().close();
});

test("a member stops a message by keyboard: the agent's appends are rejected, and the focus stays in the message", async () => {
  const page = await talk.look('ben');
  const message = await begin({ content: 'I will go on' });
  dataOf(await append(message.id, 12, ' and on'));
  await stopOf(page, message).focus();
  await page.keyboard.press('Enter');
  await stopOf(page, message).waitFor({ state: 'detached' });
  await reads(page, message, 'I will go on and on (stopped)');
  assert.equal(await page.evaluate('document.activeElement.dataset.message'), message.id);
  const refused = await append(message.id, 19, ' and on');
  assertRefused(refused, 'INVALID_REQUEST');
  assert.equal(refused.body.error.details[0].reason, 'ended');
  await page.context().close();
});

test('unfinished Markdown already has its final look, and a long text stays expanded when it ends', async () => {
  const page = await talk.look('ada');
  const message = await begin();
  const text = `Run:\n\n\`\`\`js\nconst a = 1;\n\`\`\`\n\nThen **wait** for \`it\`.\n\n${'A long line of words. '.repeat(200)}`;
  let offset = 0;
  for (let at = 0; at < 60; at += 3) {
    ({ offset } = dataOf(await append(message.id, offset, text.slice(at, at + 3))));
    assert.doesNotMatch(await textOf(page, message).innerText(), /[`*]/);
  }
  dataOf(await append(message.id, offset, text.slice(offset)));
  await textOf(page, message).locator('code', { hasText: 'it' }).last().waitFor();
  await page.evaluate(`globalThis.first = document.querySelector('[id="${message.id}-text"] pre')`);
  dataOf(await append(message.id, text.length, 'The end.', true));
  await textOf(page, message).getByText('The end.').waitFor();
  assert.ok(
    await page.evaluate(`document.querySelector('[id="${message.id}-text"] pre') === first`),
    'the elements are the same',
  );
  await rowOf(page, message as { id: string })
    .getByRole('button', { name: 'Show less' })
    .waitFor();
  await page.context().close();
});

test("agents' activities are shown until they are done, and agents are marked in mentions", async () => {
  const page = await talk.look('ada');
  const channelId = talk.channel.id;
  const activity = page.locator('.activity');
  const thinking = dataOf(await talk.as.bot.post('/indicators', { type: 'thinking', channelId }));
  await activity.getByText('Deploy Bot is thinking…').waitFor();
  dataOf(await talk.as.bot.post('/indicators', { type: 'working', channelId, text: 'Reading the log' }));
  await activity.getByText('Deploy Bot: Reading the log').waitFor();
  dataOf(await talk.as.bot.delete(`/indicators/${thinking.id}`));
  const asked = await talk.say('ben', `@${talk.bot.username}, what of @${talk.ada.username}?`);
  const row = rowOf(page, asked as { id: string });
  await row.getByRole('button', { name: '@Deploy Bot, Agent' }).waitFor();
  await row.getByRole('button', { name: '@Ada Lovelace', exact: true }).waitFor();
  assert.equal(await activity.count(), 1, 'ending one activity does not end the other');
  await page.context().close();
});

test("an agent's profile says who created it", async () => {
  const fields = { direction: 'in', channelId: talk.channel.id, name: 'Reports' };
  const maker = await talk.client.world.client(talk.server, ['canEditApp', 'canEditData'], talk.ada);
  const { path, userId } = dataOf(await maker.post('/webhooks', fields));
  const { creatorId } = dataOf(await talk.as.ben.get(`/users/${userId}`));
  assert.equal(creatorId, talk.ada.id);
  const page = await talk.look('ben');
  assert.equal((await postTo(talk.client.world, path, { text: 'The tide is in' })).status, 200);
  const row = page.locator('[data-message]', { hasText: 'The tide is in' });
  await row.locator('.message-author').click();
  await page.locator('.profile', { hasText: 'Created by Ada Lovelace' }).waitFor();
  assert.deepEqual(await violationsInThemes(page, '.profile'), []);
  await page.context().close();
});

test('axe finds no violations in either theme, and nothing is cut off on a phone', async () => {
  const phone = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true };
  const page = await talk.look('ada', { ...phone, reducedMotion: 'reduce' });
  const content = `@${talk.bot.username} says:`;
  const message = await begin({ content });
  const long = 'Comparing the harbour log of this year with those of the ten years before it';
  dataOf(await append(message.id, content.length, ' **it'));
  await talk.as.bot.post('/indicators', { type: 'working', channelId: talk.channel.id, text: long });
  await stopOf(page, message).waitFor();
  await page.locator('.activity').waitFor();
  assert.deepEqual(await violationsInThemes(page), []);
  const { width, touch } = await page.evaluate<{ width: number; touch: number }>(`({
    width: document.documentElement.scrollWidth,
    touch: document.querySelector('.message-stop button').getBoundingClientRect().height,
  })`);
  assert.ok(width <= 360, `${width} px wide`);
  assert.ok(touch >= 44, `${touch} px high`);
  dataOf(await talk.as.bot.post(`/messages/${message.id}/stop`));
  await page.context().close();
  talk.client.assertSound();
});
