import assert from 'node:assert/strict';

import type { Page } from 'playwright-core';
import { violationsIn } from '../../support/axe.ts';
import { after, afterEach, before, test } from '../../support/browser.ts';
import { Composing, fieldOf, hasText, send } from '../../support/composing.ts';
import { dataOf } from '../../support/expect.ts';

let scene: Composing;
before(async () => {
  scene = await Composing.open();
});
afterEach(() => scene.client.surfer.close());
after(() => scene?.close());

const goTo = (page: Page, channel: { name: string }) =>
  page.getByRole('navigation').getByRole('link', { name: channel.name }).first().click();
const focused = (page: Page) => page.evaluate<string>('document.activeElement.ariaLabel');

test('Enter sends the message, which shows immediately and reaches others', async () => {
  const channel = await scene.channel({ name: 'keys' });
  const [page, other] = [await scene.window(scene.ada, channel), await scene.window(scene.ben, channel)];
  // The field is focused without a click.
  assert.equal(await focused(page), 'Message #keys');
  await page.keyboard.type('one');
  await page.keyboard.press('Shift+Enter');
  await page.keyboard.type('two');
  await other.getByText('Ada Lovelace is typing…').waitFor();
  await page.keyboard.press('Enter');
  assert.equal(await fieldOf(page).inputValue(), '');
  await other.locator('article').getByText('two').waitFor();
  await other.getByText('Ada Lovelace is typing…').waitFor({ state: 'hidden' });
  await page.keyboard.press('Enter');
  await page.keyboard.type('   ');
  await page.keyboard.press('Enter');
  await scene.until(channel, ['one\ntwo']);
  assert.equal(await page.locator('article').count(), 1);
  scene.client.assertSound();
});

test('Enter completes a name without sending the message', async () => {
  const channel = await scene.channel({ name: 'names' });
  const page = await scene.window(scene.ada, channel);
  const chosen = page.getByRole('option', { selected: true });
  await page.keyboard.type('hi @b');
  await chosen.getByText('Ben Okri').waitFor();
  assert.equal(await fieldOf(page).getAttribute('aria-activedescendant'), await chosen.getAttribute('id'));
  assert.deepEqual(await violationsIn(page, { within: '.composer' }), []);
  await page.keyboard.press('Enter');
  assert.equal(await fieldOf(page).inputValue(), 'hi @ben ');
  await page.keyboard.type('see #oth');
  await chosen.getByText('other').waitFor();
  await page.keyboard.press('Tab');
  await page.keyboard.type(':tada');
  await chosen.getByText('🎉').waitFor();
  await page.keyboard.type(':');
  await hasText(page, 'hi @ben see #other 🎉');
  await page.keyboard.type(' @');
  await page.getByRole('option', { name: 'Ben Okri' }).click();
  assert.match(await fieldOf(page).inputValue(), /^hi @ben see #other 🎉 @ben $/);
  assert.equal(await focused(page), 'Message #names');
  assert.deepEqual(await scene.sent(channel), []);
  // After Escape, the same word is not completed again, and Enter sends.
  await fieldOf(page).fill('');
  await page.keyboard.type('to @be');
  await chosen.waitFor();
  await page.keyboard.press('Escape');
  await page.keyboard.type('n');
  assert.equal(await page.getByRole('option').count(), 0);
  await page.keyboard.press('Enter');
  await scene.until(channel, ['to @ben']);
});

test('autocompletion asks the server for members that are not loaded yet', async () => {
  const { world } = scene.client;
  for (const name of ['Zoë Quill', 'Zora Neale']) {
    const user = await world.user({ username: name.split(' ')[1]?.toLowerCase() ?? '', name });
    await world.member(scene.server, user);
  }
  const page = await scene.window(scene.ada, await scene.channel({ name: 'found' }));
  await page.keyboard.type('@neal');
  await page.getByRole('option', { name: 'Zora Neale' }).waitFor();
  await page.keyboard.press('Enter');
  assert.equal(await fieldOf(page).inputValue(), '@neale ');
});

test('a message goes to the channel it was written in, no matter how fast the person switches', async () => {
  const [one, two] = [await scene.channel({ name: 'left' }), await scene.channel({ name: 'right' })];
  const page = await scene.window(scene.ada, one);
  const expected: [string[], string[]] = [[], []];
  for (let round = 0; round < 6; round++) {
    const [here, there] = round % 2 === 0 ? [one, two] : [two, one];
    const text = `${here.name} ${round}`;
    expected[round % 2]?.push(text);
    await fieldOf(page).fill(text);
    // Enter and the switch happen in one task: the message goes to the channel in which the key was pressed.
    await page.evaluate(`
        const field = document.querySelector('main .composer-field');
        field.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }));
        [...document.querySelectorAll('nav a')].find((link) => link.textContent.includes('${there.name}')).click();
      `);
    await page.getByLabel(`Message #${there.name}`).waitFor();
    await page.locator('.timeline').waitFor();
  }
  await scene.until(one, expected[0]);
  await scene.until(two, expected[1]);
});

test('a draft stays with its channel, syncs to another device, and is cleared when sent', async () => {
  const [channel, elsewhere] = [await scene.channel({ name: 'drafts' }), scene.other];
  const [laptop, phone] = [await scene.window(scene.ada, channel), await scene.window(scene.ada, channel)];
  await laptop.keyboard.type('half a thou');
  await goTo(laptop, elsewhere);
  await laptop.getByLabel('Message #other').waitFor();
  assert.equal(await fieldOf(laptop).inputValue(), '');
  await hasText(phone, 'half a thou');
  await phone.keyboard.type('ght');
  // The other device shows the whole draft, also after a reload.
  await goTo(laptop, channel);
  await hasText(laptop, 'half a thought');
  await laptop.reload();
  await hasText(laptop, 'half a thought');
  await fieldOf(phone).press('Enter');
  await hasText(laptop, '');
  await scene.until(channel, ['half a thought']);
});

test('a draft from another device does not overwrite text being typed', async () => {
  const channel = await scene.channel({ name: 'hands' });
  const [laptop, phone] = [await scene.window(scene.ada, channel), await scene.window(scene.ada, channel)];
  await fieldOf(phone).fill('from the phone');
  await laptop.keyboard.type('from the laptop', { delay: 100 });
  assert.equal(await fieldOf(laptop).inputValue(), 'from the laptop');
});

test('a reply shows the message it replies to, and Escape cancels it', async () => {
  const channel = await scene.channel({ name: 'answers' });
  const first = dataOf(await scene.api.post('/messages', { channelId: channel.id, content: 'a question' }));
  const page = await scene.window(scene.ben, channel);
  // The state that "Reply" stores in the tab.
  await page.evaluate(
    `sessionStorage.setItem('palaver-replying', JSON.stringify({ '${channel.id}': '${first.id}' }))`,
  );
  await page.reload();
  await page.getByText('Replying to Ada Lovelace').waitFor();
  assert.deepEqual(await violationsIn(page, { within: '.composer' }), []);
  await send(page, 'an answer');
  await page.getByText('Replying to').waitFor({ state: 'hidden' });
  await scene.until(channel, ['a question', 'an answer']);
  const [answer] = dataOf(await scene.api.get(`/channels/${channel.id}/messages?limit=1`));
  assert.equal(answer.replyToId, first.id);
  await page.evaluate(
    `sessionStorage.setItem('palaver-replying', JSON.stringify({ '${channel.id}': '${first.id}' }))`,
  );
  await page.reload();
  await page.getByText('Replying to').waitFor();
  await fieldOf(page).press('Escape');
  await page.getByText('Replying to').waitFor({ state: 'hidden' });
});

test("arrow up in an empty field edits the user's last message", async () => {
  const channel = await scene.channel({ name: 'edits' });
  const page = await scene.window(scene.ben, channel);
  await send(page, 'a tpyo');
  await scene.until(channel, ['a tpyo']);
  dataOf(await scene.api.post('/messages', { channelId: channel.id, content: 'of another' }));
  await page.locator('article').getByText('of another').waitFor();
  await page.keyboard.type('x');
  await page.keyboard.press('ArrowUp');
  assert.equal(await page.locator('.message-edit-field').count(), 0);
  await page.keyboard.press('Backspace');
  await page.keyboard.press('Delete');
  await page.keyboard.press('ArrowUp');
  await page.locator('.message-edit-field').waitFor();
  assert.equal(await page.locator('.message-edit-field').inputValue(), 'a tpyo');
  await page.keyboard.press('Escape');
  await page.locator('.message-edit-field').waitFor({ state: 'detached' });
  assert.equal(await focused(page), 'Message #edits');
});

test('a thread has its own composer, which says when the thread is locked', async () => {
  const channel = await scene.channel({ name: 'threads' });
  const first = dataOf(await scene.api.post('/messages', { channelId: channel.id, content: 'to discuss' }));
  const thread = dataOf(
    await scene.api.post('/threads', { channelId: channel.id, messageId: first.id, name: 'Discussion' }),
  );
  const page = await scene.client.signedIn(scene.ben, `${scene.path(channel)}?thread=${thread.id}`);
  const field = page.getByLabel('Reply in thread');
  await field.fill('within');
  await fieldOf(page).first().fill('outside');
  assert.equal(await field.inputValue(), 'within');
  await field.press('Enter');
  await page.locator('aside article').getByText('within').waitFor();
  assert.equal(await fieldOf(page).first().inputValue(), 'outside');
  await scene.until(channel, ['to discuss', 'within']);
  const [reply] = dataOf(await scene.api.get(`/channels/${channel.id}/messages?limit=1`));
  assert.equal(reply.threadId, thread.id);
  dataOf(await scene.api.patch(`/threads/${thread.id}`, { locked: true }));
  await field.waitFor({ state: 'detached' });
  await page
    .getByText(/locked/)
    .first()
    .waitFor();
});

test('formatting shortcuts wrap the selection and can be undone', async () => {
  const page = await scene.window(scene.ada, await scene.channel({ name: 'marks' }));
  await page.keyboard.type('bold');
  await page.keyboard.press('Control+a');
  await page.keyboard.press('Control+b');
  assert.equal(await fieldOf(page).inputValue(), '**bold**');
  await page.keyboard.press('Control+i');
  assert.equal(await fieldOf(page).inputValue(), '***bold***');
  await page.keyboard.press('Control+z');
  await page.keyboard.press('Control+z');
  assert.equal(await fieldOf(page).inputValue(), 'bold');
});

test('the composer grows with its text up to a limit and shows how many characters are left', async () => {
  const page = await scene.window(scene.ada, await scene.channel({ name: 'long' }));
  const height = async () => (await fieldOf(page).boundingBox())?.height ?? 0;
  const low = await height();
  await fieldOf(page).fill('line\n'.repeat(5));
  assert.ok((await height()) > low + 80);
  await fieldOf(page).fill('line\n'.repeat(200));
  const { height: most } = page.viewportSize() ?? { height: 0 };
  assert.ok((await height()) <= most * 0.4 + 1);
  await fieldOf(page).fill('x'.repeat(7900));
  await page.getByText('100 characters left').waitFor();
  await fieldOf(page).fill('x'.repeat(8001));
  await page.getByText('1 character over the limit This draft is too long to sync').waitFor();
  await fieldOf(page).press('Enter');
  assert.equal((await fieldOf(page).inputValue()).length, 8001);
  assert.deepEqual(await violationsIn(page, { within: '.composer' }), []);
});

test('a member without permission to write sees the reason, which updates live', async () => {
  const channel = await scene.channel({ name: 'news', readonly: true });
  const page = await scene.client.signedIn(scene.ben, scene.path(channel));
  await page.getByText('This channel is read-only').waitFor();
  assert.equal(await fieldOf(page).count(), 0);
  assert.deepEqual(await violationsIn(page, { within: '.composer' }), []);
  dataOf(await scene.api.patch(`/channels/${channel.id}`, { readonly: false }));
  await fieldOf(page).waitFor();
  await page.keyboard.type('at last');
  await page.keyboard.press('Enter');
  await scene.until(channel, ['at last']);
});

test('typed letters go to the composer while nothing or only a clicked element has the focus', async () => {
  const channel = await scene.channel({ name: 'nowhere' });
  dataOf(await scene.api.post('/messages', { channelId: channel.id, content: 'to be looked at' }));
  const page = await scene.window(scene.ada, channel);
  await page.evaluate('document.activeElement.blur()');
  await page.keyboard.type('hello');
  await page.getByText('to be looked at').click();
  assert.match(await page.evaluate<string>('document.activeElement.localName'), /article/);
  await page.keyboard.type(', every');
  await page.getByRole('link', { name: 'nowhere' }).click();
  assert.equal(await focused(page), 'Message #nowhere', 'the open channel was chosen');
  await page.keyboard.type('body');
  assert.equal(await fieldOf(page).inputValue(), 'hello, everybody');
});
