import assert from 'node:assert/strict';
import { after, afterEach, before, test } from '../../support/browser.ts';
import { Composing, fieldOf } from '../../support/composing.ts';
import { until } from '../../support/process.ts';

let scene: Composing;
before(async () => {
  scene = await Composing.open();
});
afterEach(() => scene.client.surfer.close());
after(() => scene?.close());

test('IME composition handles Enter, Escape and arrow keys itself', async () => {
  const channel = await scene.channel({ name: 'kana' });
  const page = await scene.window(scene.ada, channel);
  const devtools = await page.context().newCDPSession(page);
  const compose = (text: string) =>
    devtools.send('Input.imeSetComposition', {
      text,
      selectionStart: text.length,
      selectionEnd: text.length,
    });
  const key = async (code: string, keyCode: number) => {
    for (const type of ['rawKeyDown', 'keyUp'] as const)
      await devtools.send('Input.dispatchKeyEvent', {
        type,
        key: 'Process',
        code,
        windowsVirtualKeyCode: 229,
        nativeVirtualKeyCode: keyCode,
      });
  };
  await compose('にほ');
  await key('Enter', 13);
  await compose('日本');
  await key('Escape', 27);
  assert.deepEqual(await scene.sent(channel), []);
  await devtools.send('Input.insertText', { text: '日本' });
  assert.equal(await fieldOf(page).inputValue(), '日本');
  await page.keyboard.press('Enter');
  await scene.until(channel, ['日本']);
});

test('the key with which Safari ends a composition does nothing else', async () => {
  const channel = await scene.channel({ name: 'hangul' });
  const page = await scene.window(scene.ada, channel);
  const end = (key: string) =>
    page.evaluate(
      `document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key: ${JSON.stringify(key)}, keyCode: 229, bubbles: true, cancelable: true }))`,
    );
  await page.keyboard.type('한국');
  await end('Enter');
  assert.equal(await fieldOf(page).inputValue(), '한국');
  await page.keyboard.press('Enter');
  await scene.until(channel, ['한국']);
  // The editor and the palette ignore these keys, too.
  const edited = page.locator('.message-edit-field');
  // Retries until the page has the message from the server.
  await until(async () => {
    await page.keyboard.press('ArrowUp');
    return (await edited.count()) > 0;
  });
  await edited.fill('한국어');
  await end('Enter');
  await end('Escape');
  assert.equal(await edited.inputValue(), '한국어');
  assert.deepEqual(await scene.sent(channel), ['한국']);
  await page.keyboard.press('Enter');
  await edited.waitFor({ state: 'detached' });
  await scene.until(channel, ['한국어']);
  const palette = page.locator('.palette-input');
  await page.keyboard.press('Control+k');
  await palette.waitFor();
  await end('Escape');
  assert.equal(await palette.isVisible(), true);
});

test('Ctrl K and Alt with an arrow work while a message is edited', async () => {
  const channel = await scene.channel({ name: 'shortcuts' });
  const page = await scene.window(scene.ada, channel);
  await page.keyboard.type('first');
  await page.keyboard.press('Enter');
  await scene.until(channel, ['first']);
  const edited = page.locator('.message-edit-field');
  await until(async () => {
    await page.keyboard.press('ArrowUp');
    return (await edited.count()) > 0;
  });
  // The shortcut also works while the change is being saved.
  await page.route('**/messages/*', () => undefined);
  await edited.fill('second');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Control+k');
  await page.locator('.palette-input').waitFor();
  await page.keyboard.press('Escape');
  await page.locator('.palette-input').waitFor({ state: 'detached' });
  await edited.focus();
  await page.keyboard.press('Alt+ArrowUp');
  await page.waitForURL((url) => !url.pathname.includes(channel.id));
});

test('Ctrl K works while a profile has the focus', async () => {
  const channel = await scene.channel({ name: 'profiles' });
  const page = await scene.window(scene.ada, channel);
  await page.keyboard.type('Who am I?');
  await page.keyboard.press('Enter');
  await scene.until(channel, ['Who am I?']);
  // The author's name on a pending message does not open a profile.
  await page.locator('.message-pending').waitFor({ state: 'detached' });
  await page.locator('.message-author').click();
  await page.locator('.profile:focus, .profile :focus').first().waitFor();
  await page.keyboard.press('Control+k');
  await page.locator('.palette-input').waitFor();
});

test('Enter inside an open code block continues it, and Ctrl Enter sends the message', async () => {
  const channel = await scene.channel({ name: 'code' });
  const page = await scene.window(scene.ada, channel);
  await page.keyboard.type('```js');
  await page.keyboard.press('Enter');
  await page.keyboard.type('let a;');
  await page.keyboard.press('Enter');
  assert.equal(await fieldOf(page).inputValue(), '```js\nlet a;\n');
  assert.deepEqual(await scene.sent(channel), []);
  await page.keyboard.type('```');
  await page.keyboard.press('Enter');
  await scene.until(channel, ['```js\nlet a;\n```']);
  await page.keyboard.type('~~~');
  await page.keyboard.press('Enter');
  await page.keyboard.type('open');
  await page.keyboard.press('Control+Enter');
  await scene.until(channel, ['```js\nlet a;\n```', '~~~\nopen']);
});

test("typing a channel's name without accents completes it", async () => {
  await scene.channel({ name: 'Übung' });
  const page = await scene.window(scene.ada, await scene.channel({ name: 'accents' }));
  await page.keyboard.type('see #ubung');
  await page.getByRole('option', { name: 'Übung' }).waitFor();
  await page.keyboard.press('Enter');
  assert.equal(await fieldOf(page).inputValue(), 'see #Übung ');
});
