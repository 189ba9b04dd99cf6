import assert from 'node:assert/strict';

import type { Page } from 'playwright-core';
import { violationsIn } from '../../support/axe.ts';
import { after, afterEach, before, test } from '../../support/browser.ts';
import { Composing, fieldOf, send } from '../../support/composing.ts';
import { dataOf } from '../../support/expect.ts';
import { photo } from '../../support/pictures.ts';
import type { Json } from '../../support/world.ts';

const MOST_BYTES = 1_000_000;

let scene: Composing;
before(async () => {
  scene = await Composing.open({ fileMegabytes: 1 });
});
afterEach(() => scene.client.surfer.close());
after(() => scene?.close());

const file = (name: string, bytes = 100) => ({
  name,
  mimeType: 'text/plain',
  buffer: Buffer.alloc(bytes, 97),
});
const choose = (page: Page, files: ReturnType<typeof file>[]) =>
  page.locator('main input[type=file]').setInputFiles(files);
const list = (page: Page) => page.getByRole('list', { name: 'Attachments' }).getByRole('listitem');
const latest = async (channel: Json): Promise<Json> =>
  dataOf(await scene.api.get(`/channels/${channel.id}/messages?limit=1`))[0];
/** Limits the upload rate to this many bytes per second. */
const slow = async (page: Page, bytes: number) => {
  const devtools = await page.context().newCDPSession(page);
  const conditions = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: bytes };
  await devtools.send('Network.enable');
  await devtools.send('Network.emulateNetworkConditions', conditions);
};

test('several files are sent with a message, in order', async () => {
  const channel = await scene.channel({ name: 'several' });
  const page = await scene.window(scene.ada, channel);
  await choose(page, [file('one.txt'), file('two.txt')]);
  await choose(page, [file('three.txt')]);
  await list(page).filter({ hasText: '100 byte' }).nth(2).waitFor();
  assert.deepEqual(await violationsIn(page, { within: '.composer' }), []);
  await send(page, 'three of them');
  await scene.until(channel, ['three of them']);
  const names = (await latest(channel)).attachments.map(({ name }: Json) => name);
  assert.deepEqual(names, ['one.txt', 'two.txt', 'three.txt']);
  assert.equal(await list(page).count(), 0);
  // A message with only files has no text. References to it show the file names instead.
  await choose(page, [file('alone.txt')]);
  await fieldOf(page).press('Enter');
  await scene.until(channel, ['three of them', '']);
  const row = page.locator('[data-message]').filter({ hasText: 'alone.txt' });
  await row.locator('.file-name').waitFor();
  assert.equal((await row.locator('.message-text').innerText()).trim(), '');
  await row.focus();
  await page.keyboard.press('r');
  await page.locator('.composer').getByText('File: alone.txt').waitFor();
});

/** A second of silence: 39 MP3 frames at 128 kbit/s and 44.1 kHz. */
const silence = Buffer.concat(
  Array.from({ length: 39 }, () => Buffer.concat([Buffer.from('fffb9064', 'hex'), Buffer.alloc(413)])),
);

test('audio shows its duration and plays in the message; texts and tables have a preview', async () => {
  const channel = await scene.channel({ name: 'players' });
  const page = await scene.window(scene.ada, channel);
  await choose(page, [
    { name: 'quiet.mp3', mimeType: 'audio/mpeg', buffer: silence },
    {
      name: 'numbers.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from('city,people\n"Oslo, Norway",700000\n'),
    },
    { name: 'bytes.txt', mimeType: 'text/plain', buffer: Buffer.from([0x61, 0xff, 0xfe]) },
  ]);
  await send(page, 'listen');
  await page.getByText('0:00 of 0:01').waitFor();
  await page.getByRole('button', { name: 'Play quiet.mp3' }).click();
  await page.getByText('0:01 of 0:01').waitFor();
  await page.getByRole('button', { name: 'Play quiet.mp3' }).waitFor();
  const position = page.getByRole('slider', { name: 'Position in quiet.mp3' });
  await position.fill('0');
  await page.getByText('0:00 of 0:01').waitFor();

  await page.getByRole('button', { name: 'Preview numbers.csv' }).click();
  await page.getByRole('cell', { name: 'Oslo, Norway' }).waitFor();
  await page.getByRole('button', { name: 'Preview bytes.txt' }).click();
  await page.getByText("Couldn't load the preview").waitFor();
  assert.deepEqual(await violationsIn(page, { within: '.attachments' }), []);
  await page.getByRole('button', { name: 'Hide preview of numbers.csv' }).click();
  await page.getByRole('cell', { name: 'Oslo, Norway' }).waitFor({ state: 'detached' });
});

/** A second of silence: 8,000 8-bit samples. */
function wave(): Buffer<ArrayBuffer> {
  const head = Buffer.from('RIFF....WAVEfmt ....................data....', 'latin1');
  head.writeUInt32LE(36 + 8_000, 4);
  [16, 0x0001_0001, 8_000, 8_000, 0x0008_0001, 0x6174_6164, 8_000].forEach((word, at) => {
    head.writeUInt32LE(word, 16 + at * 4);
  });
  return Buffer.concat([head, Buffer.alloc(8_000, 0x80)]);
}

test("WAV files play, videos have the same controls, and PDFs open in the browser's viewer", async () => {
  const channel = await scene.channel({ name: 'viewers' });
  const page = await scene.window(scene.ada, channel);
  const policies: string[] = [];
  page.on('console', (said) => /Content.Security.Policy/i.test(said.text()) && policies.push(said.text()));
  await page.evaluate(() => Object.defineProperty(navigator, 'pdfViewerEnabled', { value: true }));
  await choose(page, [
    { name: 'note.wav', mimeType: 'audio/wav', buffer: wave() },
    { name: 'film.mp4', mimeType: 'video/mp4', buffer: Buffer.from('\0\0\0\x10ftypisom\0\0\0\0', 'latin1') },
    { name: 'paper.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.4\n<script>1</script>') },
  ]);
  await send(page, 'look');
  const sound = page.locator('.file-card', { hasText: 'note.wav' });
  await sound.getByText('0:00 of 0:01').waitFor();
  const film = page.locator('.film');
  await film.getByText("Couldn't play this file").waitFor();
  assert.equal(await film.locator('video').getAttribute('controls'), null);
  await film.getByRole('button', { name: 'Mute film.mp4' }).click();
  await film.getByRole('button', { name: 'Unmute film.mp4' }).waitFor();
  await film.getByRole('button', { name: 'Full screen: film.mp4' }).waitFor();
  await page.getByRole('button', { name: 'Preview paper.pdf' }).click();
  const viewer = page.locator('iframe.pdf-preview');
  await viewer.waitFor();
  assert.match((await viewer.getAttribute('src')) ?? '', /^blob:/);
  assert.deepEqual(await violationsIn(page, { within: '.attachments' }), []);
  await page.getByRole('button', { name: 'Hide preview of paper.pdf' }).click();
  await viewer.waitFor({ state: 'detached' });
  assert.deepEqual(policies, []);
});

test('a message waits for its uploads and goes to the channel it was written in', async () => {
  const channel = await scene.channel({ name: 'waits' });
  const page = await scene.window(scene.ada, channel);
  await slow(page, 60_000);
  await choose(page, [file('large.txt', 200_000)]);
  const progress = page.getByRole('progressbar', { name: 'Uploading large.txt' });
  await progress.waitFor();
  await send(page, 'with a large one');
  await page.getByText('will be sent once the files are uploaded').waitFor();
  const shares = new Set<string>();
  for (let look = 0; look < 10 && (await progress.count()) > 0; look++) {
    shares.add((await progress.getAttribute('value', { timeout: 500 }).catch(() => null)) ?? '');
    await page.waitForTimeout(100);
  }
  assert.ok(shares.size > 2, [...shares].join(' '));
  await page.getByRole('link', { name: 'general' }).first().click();
  await page.getByLabel('Message #general').waitFor();
  await page.keyboard.type('elsewhere');
  await scene.until(channel, ['with a large one']);
  assert.equal((await latest(channel)).attachments[0].name, 'large.txt');
  assert.equal(await fieldOf(page).inputValue(), 'elsewhere');
  assert.deepEqual(await scene.sent(scene.general), []);
  await page.getByRole('link', { name: 'waits' }).first().click();
  await page.getByLabel('Message #waits').waitFor();
  assert.equal(await fieldOf(page).inputValue(), '');
});

test('an upload can be cancelled, and so can a message that waits for it', async () => {
  const channel = await scene.channel({ name: 'cancels' });
  const page = await scene.window(scene.ada, channel);
  await slow(page, 30_000);
  await choose(page, [file('slow.txt', 250_000)]);
  await send(page, 'without it');
  await page.getByRole('button', { name: 'Cancel', exact: true }).click();
  assert.equal(await fieldOf(page).inputValue(), 'without it');
  assert.deepEqual(await scene.sent(channel), []);
  await page.getByRole('button', { name: 'Cancel upload of slow.txt' }).click();
  await list(page).waitFor({ state: 'detached' });
  await slow(page, -1);
  await fieldOf(page).press('Enter');
  await scene.until(channel, ['without it']);
  assert.equal((await latest(channel)).attachments, undefined);
});

test('a file that is too large is rejected with the limit in MB, and the message is kept', async () => {
  const channel = await scene.channel({ name: 'refused' });
  const page = await scene.window(scene.ada, channel);
  await choose(page, [file('huge.txt', MOST_BYTES + 50_000), file('small.txt')]);
  await list(page)
    .filter({ hasText: `This is too large. The limit is ${MOST_BYTES / 1_000_000} MB.` })
    .waitFor();
  await send(page, 'both');
  await page.waitForTimeout(300);
  assert.equal(await fieldOf(page).inputValue(), 'both');
  assert.deepEqual(await scene.sent(channel), []);
  await page.getByRole('button', { name: 'Remove huge.txt' }).click();
  await fieldOf(page).press('Enter');
  await scene.until(channel, ['both']);
  assert.equal((await latest(channel)).attachments.length, 1);
  // Files beyond the limit per message are left out.
  await choose(
    page,
    Array.from({ length: 12 }, (_, at) => file(`${at}.txt`, 10)),
  );
  await page
    .getByRole('region', { name: 'Notifications' })
    .getByText('You can attach up to 10 files per message.')
    .waitFor();
  assert.equal(await list(page).count(), 10);
});

test('a pasted or dropped image is previewed before it is sent; pasted text stays text', async () => {
  const channel = await scene.channel({ name: 'pictures' });
  const page = await scene.window(scene.ada, channel);
  const bytes = (await photo().png().toBuffer()).toString('base64');
  const give = (act: string) =>
    page.evaluate(`(() => {
        const bytes = Uint8Array.from(atob('${bytes}'), (char) => char.charCodeAt(0));
        const data = new DataTransfer();
        data.items.add(new File([bytes], 'harbour.png', { type: 'image/png' }));
        ${act}
      })()`);
  await give(`document.querySelector('main .composer-field')
      .dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));`);
  await list(page).locator('img').waitFor();
  const drag = (type: string) =>
    `document.querySelector('main .timeline').dispatchEvent(new DragEvent('${type}', { dataTransfer: data, bubbles: true, cancelable: true }));`;
  await give(drag('dragover'));
  await page.getByText('Drop files to send them to #pictures').waitFor();
  await give(drag('drop'));
  await page.getByText('Drop files to').waitFor({ state: 'detached' });
  assert.equal(await list(page).count(), 2);
  // Spreadsheets copy both text and an image of the text. Only the text is pasted.
  await give(`data.setData('text/plain', 'a long text');
      document.querySelector('main .composer-field')
        .dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));`);
  assert.equal(await list(page).count(), 2);
  await send(page, 'two pictures');
  await scene.until(channel, ['two pictures']);
  const { attachments } = await latest(channel);
  assert.deepEqual(
    attachments.map(({ type }: Json) => type),
    ['image/png', 'image/png'],
  );
  assert.deepEqual(
    scene.client.surfer.complaints.filter((line) => !/400/.test(line)),
    [],
  );
});

test('an upload resumes after the network was down', async () => {
  const channel = await scene.channel({ name: 'away' });
  const page = await scene.window(scene.ada, channel);
  await page.context().setOffline(true);
  await choose(page, [file('patient.txt')]);
  await send(page, 'in the end');
  await page.waitForTimeout(1500);
  await page.context().setOffline(false);
  await scene.until(channel, ['in the end']);
  assert.equal((await latest(channel)).attachments[0].name, 'patient.txt');
});

test('an upload rejected by a proxy shows the reason, and is not retried', async () => {
  const channel = await scene.channel({ name: 'proxied' });
  const page = await scene.window(scene.ada, channel);
  let requests = 0;
  await page.route('**/api/v1/attachments', (route) => {
    requests++;
    return route.fulfill({ status: 413, contentType: 'text/html', body: '<h1>413</h1>' });
  });
  await choose(page, [file('large.txt')]);
  await list(page).getByText('rejected the request as too large (413). Ask your admin to raise').waitFor();
  await page.waitForTimeout(1_500);
  assert.equal(requests, 1);
});
