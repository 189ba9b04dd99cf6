import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { violationsIn, violationsInThemes } from '../../support/axe.ts';
import { after, afterEach, before, test } from '../../support/browser.ts';
import { Composing, fieldOf, hasText } from '../../support/composing.ts';
import { until } from '../../support/process.ts';

let scene: Composing;
before(async () => {
  scene = await Composing.open();
});
afterEach(() => scene.client.surfer.close());
after(() => scene?.close());

const barOf = (page: Page) => page.getByRole('toolbar', { name: 'Formatting' });
const show = async (page: Page) => {
  await page.getByRole('button', { name: 'Show formatting' }).click();
  await barOf(page).waitFor();
};
const focused = (page: Page) =>
  page.evaluate<string>('document.activeElement.ariaLabel ?? document.activeElement.className');

test("the buttons toggle the selection's formats, and the browser can undo them", async () => {
  const page = await scene.window(scene.ada, await scene.channel({ name: 'buttons' }));
  await show(page);
  const press = (name: string) => barOf(page).getByRole('button', { name, exact: true }).click();
  const choose = (start: number, end: number) =>
    fieldOf(page).evaluate(
      (area: { setSelectionRange(from: number, to: number): void }, [from, to]) =>
        area.setSelectionRange(from as number, to as number),
      [start, end],
    );
  await page.keyboard.type('some words');
  await choose(5, 10);
  for (const [name, text] of [
    ['Bold', 'some **words**'],
    ['Bold', 'some words'],
    ['Italic', 'some *words*'],
    ['Italic', 'some words'],
    ['Strikethrough', 'some ~~words~~'],
    ['Strikethrough', 'some words'],
    ['Code', 'some `words`'],
    ['Code', 'some words'],
    ['Quote', '> some words'],
    ['Quote', 'some words'],
    ['Bulleted list', '- some words'],
    ['Ordered list', '1. some words'],
    ['Ordered list', 'some words'],
    ['Code block', '```\nsome words\n```'],
    ['Code block', 'some words'],
    ['Link', 'some [words](url)'],
  ] as const) {
    await press(name);
    assert.equal(await fieldOf(page).inputValue(), text, name);
    // The focus stays in the field, so typing continues.
    assert.equal(await focused(page), 'Message #buttons');
  }
  // The placeholder `url` is selected.
  await page.keyboard.type('https://example.com');
  assert.equal(await fieldOf(page).inputValue(), 'some [words](https://example.com)');
  await page.keyboard.press('Control+a');
  await press('Quote');
  assert.equal(await fieldOf(page).inputValue(), '> some [words](https://example.com)');
  await page.keyboard.press('Control+z');
  assert.equal(await fieldOf(page).inputValue(), 'some [words](https://example.com)');
  await page.keyboard.press('Control+Shift+z');
  await hasText(page, '> some [words](https://example.com)');
  scene.client.assertSound();
});

test('the shortcuts work without the toolbar, and while a message is being edited', async () => {
  const channel = await scene.channel({ name: 'keys' });
  const page = await scene.window(scene.ada, channel);
  await page.keyboard.press('Control+b');
  await page.keyboard.type('bold');
  // Pressing the same shortcut again moves the caret past the closing mark.
  await page.keyboard.press('Control+b');
  await page.keyboard.type(' ');
  await page.keyboard.press('Control+Shift+X');
  await page.keyboard.type('gone');
  assert.equal(await fieldOf(page).inputValue(), '**bold** ~~gone~~');
  await page.keyboard.press('Control+a');
  for (const [keys, text] of [
    ['Control+Shift+Digit8', '- **bold** ~~gone~~'],
    ['Control+Shift+Digit7', '1. **bold** ~~gone~~'],
    ['Control+Shift+Digit7', '**bold** ~~gone~~'],
    ['Control+Shift+Digit9', '> **bold** ~~gone~~'],
    ['Control+Alt+Shift+C', '```\n> **bold** ~~gone~~\n```'],
    ['Control+Alt+Shift+C', '> **bold** ~~gone~~'],
  ] as const) {
    await page.keyboard.press(keys);
    await hasText(page, text);
  }
  await page.keyboard.press('Enter');
  await scene.until(channel, ['> **bold** ~~gone~~']);

  const edited = page.locator('.message-edit-field');
  await until(async () => {
    await page.keyboard.press('ArrowUp');
    return (await edited.count()) > 0;
  });
  await edited.fill('new');
  await page.keyboard.press('Control+a');
  await page.keyboard.press('Control+i');
  await page.keyboard.press('Control+Shift+Digit9');
  await until(async () => (await edited.inputValue()) === '> *new*');
  // The editor has a toolbar, too.
  await page.locator('.message-edit').getByRole('button', { name: 'Show formatting' }).click();
  const bar = page.locator('.message-edit').getByRole('toolbar', { name: 'Formatting' });
  await bar.getByRole('button', { name: 'Quote' }).click();
  assert.equal(await edited.inputValue(), '*new*');
  await bar.getByRole('button', { name: 'Preview' }).click();
  await page.locator('.message-edit').locator('em', { hasText: 'new' }).waitFor();
  assert.deepEqual(await violationsIn(page, { within: '.message-edit' }), []);
  await edited.press('Enter');
  // The editor closes once the server has the change.
  await edited.waitFor({ state: 'detached' });
  await scene.until(channel, ['*new*']);
  scene.client.assertSound();
});

test('the toolbar is one tab stop with arrow keys, and Escape returns to the field', async () => {
  const page = await scene.window(scene.ada, scene.general);
  await show(page);
  assert.equal(await focused(page), 'Message #general');
  await page.keyboard.type('word');
  await page.keyboard.press('Shift+Tab');
  assert.equal(await focused(page), 'Attach files');
  await page.keyboard.press('Shift+Tab');
  assert.equal(await focused(page), 'Bold');
  await page.keyboard.press('ArrowRight');
  assert.equal(await focused(page), 'Italic');
  await page.keyboard.press('End');
  assert.equal(await focused(page), 'Formatting help');
  await page.keyboard.press('ArrowRight');
  assert.equal(await focused(page), 'Bold');
  await page.getByRole('tooltip').filter({ hasText: 'Ctrl B' }).waitFor();
  await page.keyboard.press('Escape');
  assert.equal(await focused(page), 'Message #general');
  assert.equal(await fieldOf(page).inputValue(), 'word');
  // The last button stays the tab stop, and formats the selection that the field still has.
  await page.keyboard.press('Control+a');
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Shift+Tab');
  assert.equal(await focused(page), 'Bold');
  await page.keyboard.press('Enter');
  await hasText(page, '**word**');
  assert.equal(await focused(page), 'Message #general');
  await page.keyboard.press('Control+z');
  await hasText(page, 'word');
});

test('the preview shows the message as it will look, and the help lists the syntax', async () => {
  const channel = await scene.channel({ name: 'preview' });
  const page = await scene.window(scene.ada, channel);
  await show(page);
  const button = barOf(page).getByRole('button', { name: 'Preview' });
  await button.click();
  const preview = page.getByRole('region', { name: 'Preview' });
  await preview.getByText('Nothing to preview').waitFor();
  assert.equal(await button.getAttribute('aria-pressed'), 'true');
  await page.keyboard.type('**loud** *fine* @ben in #general today');
  await preview.locator('strong', { hasText: 'loud' }).waitFor();
  await preview.getByRole('button', { name: '@Ben Okri' }).waitFor();
  // The font has no italics: the browser slants its letters.
  const emphasis = "getComputedStyle(document.querySelector('.format-preview em'))";
  assert.equal(await page.evaluate(`${emphasis}.fontSynthesisStyle`), 'auto');
  await preview.getByRole('link', { name: '#general' }).waitFor();
  assert.deepEqual(await violationsInThemes(page, '.composer-box'), []);
  await page.keyboard.press('Enter');
  await preview.getByText('Nothing to preview').waitFor();
  await scene.until(channel, ['**loud** *fine* @ben in #general today']);

  await barOf(page).getByRole('button', { name: 'Formatting help' }).click();
  const help = page.getByRole('dialog', { name: 'Formatting help' });
  await help.getByRole('cell').locator('strong', { hasText: 'bold' }).waitFor();
  assert.deepEqual(await violationsInThemes(page, 'dialog[open]'), []);
  await page.keyboard.press('Escape');
  await help.waitFor({ state: 'detached' });
  assert.equal(await focused(page), 'Message #preview');
});

test('the toolbar is hidden by default, and the choice is remembered for this person', async () => {
  const page = await scene.window(scene.ada, scene.general);
  assert.equal(await barOf(page).count(), 0);
  await show(page);
  await page.reload();
  await barOf(page).waitFor();
  await page.getByRole('button', { name: 'Hide formatting' }).click();
  await barOf(page).waitFor({ state: 'detached' });
  await page.reload();
  await fieldOf(page).waitFor();
  assert.equal(await barOf(page).count(), 0);
});

test('on a phone, the field keeps its width until text is typed, and then moves to its own line', async () => {
  const page = await scene.window(scene.ada, await scene.channel({ name: 'phone' }), {
    ...{ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
  });
  const formatting = page.getByRole('button', { name: 'Show formatting' });
  assert.equal(await formatting.isVisible(), false);
  await fieldOf(page).fill('A message');
  await formatting.tap();
  await barOf(page).waitFor();
  const width = async (selector: string) => (await page.locator(selector).boundingBox())?.width ?? 0;
  assert.ok((await width('.composer-field')) > 300);
  assert.ok((await width('.format-bar')) <= 390);
  assert.deepEqual(await violationsIn(page, { within: '.composer-box' }), []);
  await barOf(page).getByRole('button', { name: 'Quote' }).tap();
  await hasText(page, '> A message');
});

test("the toolbar follows the page's language", async () => {
  const page = await scene.window(scene.ada, scene.other, { locale: 'de' });
  await page.getByRole('button', { name: 'Formatierung einblenden' }).click();
  const bar = page.getByRole('toolbar', { name: 'Formatierung' });
  await bar.getByRole('button', { name: 'Durchgestrichen' }).click();
  assert.equal(await fieldOf(page).inputValue(), '~~~~');
  await bar.getByRole('button', { name: 'Formatierungshilfe' }).click();
  await page
    .getByRole('dialog', { name: 'Formatierungshilfe' })
    .getByText('Zitat', { exact: true })
    .waitFor();
});
