// @run sqlite: uses no database
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { linksIn } from '../../server/src/lib/text/links.ts';
import { decoded, headOfPage } from '../../server/src/resources/message/previews/page.ts';
import { seeded } from '../support/seeded.ts';

/** The size of the part of a page that is loaded, in characters. */
const SIZE = 512 * 1024;
/** CPU time in ms. V8's coverage makes the parser up to ten times slower; quadratic time would be over a minute. */
const MAX_MS = 2_000;

test("a page's preview texts are used, or else its title and description", async () => {
  const of = async (head: string) =>
    (await headOfPage(`<!doctype html><html><head>${head}</head><body><title>no</title>`))?.texts;
  assert.deepEqual(await of('<title>Tide &amp; time</title>'), { title: 'Tide & time' });
  assert.deepEqual(
    await of(`<meta property="og:title" content="High &lt;b&gt; water"><META NAME='Description' content=' two
      lines '><meta property=og:site_name content=Harbour><title>Other</title>`),
    { title: 'High <b> water', text: 'two lines', site: 'Harbour' },
  );
  assert.deepEqual(await of('<meta property="og:title" content=" "><title>Left</title>'), { title: 'Left' });
  assert.deepEqual(await of('<meta name="twitter:title" content="潮汐表"><title>x</title>'), {
    title: '潮汐表',
  });
  for (const none of ['', '<title> \u200b </title>', '<svg><title>drawing</title></svg>', '<h1>text</h1>'])
    assert.equal(await of(none), undefined, none);
  assert.equal(await headOfPage('<body><title>in the body</title>'), undefined);
});

test("a page's texts are one short line each, without control characters", async () => {
  const title = `\u202eevil\u0000 ${'a'.repeat(5_000)}`;
  const page = `<title>${title}</title><meta name=description content="${'😀'.repeat(5_000)}">`;
  const found = (await headOfPage(page))?.texts;
  assert.match(found?.title ?? '', /^evil a+…$/);
  assert.equal([...(found?.title ?? '')].length, 200);
  assert.ok((found?.text ?? '').isWellFormed());
  assert.equal([...(found?.text ?? '')].length, 300);
});

test("a page's picture is the first one that it declares for previews", async () => {
  const of = async (head: string) => (await headOfPage(`<title>x</title>${head}`))?.picture;
  const named = (name: string, url: string) => `<meta property="${name}" content="${url}">`;
  assert.equal(await of('<link rel=icon href=/icon.png>'), undefined);
  assert.equal(
    await of(named('twitter:image', 'b.png') + named('og:image', ' /a.png?x=1&amp;y=2 ')),
    '/a.png?x=1&y=2',
  );
  assert.equal(
    await of(named('og:image', '') + named('og:image:url', 'https://b.example/b.png')),
    'https://b.example/b.png',
  );
  assert.equal(await of(named('og:image', `/${'a'.repeat(2_048)}`)), undefined);
});

test('hostile pages take little time, and do not block others in the meantime', async () => {
  const random = seeded();
  const parts = '<|>|"|\'|=|<meta |content|<!--|-->|<title>|</|&|;| |a'.split('|');
  const pages = Array.from({ length: 50 }, () =>
    Array.from({ length: 2_000 }, () => parts[random.below(parts.length)]).join(''),
  );
  for (const part of [...parts, '<div>', '<noscript>', '<meta name=x content=y>'])
    pages.push(part.repeat(SIZE / part.length));
  for (const page of [...pages, `<meta ${'x=1 '.repeat(SIZE / 4)}>`]) {
    const { user } = process.cpuUsage();
    await headOfPage(page);
    assert.ok(process.cpuUsage().user - user < MAX_MS * 1_000, page.slice(0, 20));
  }
});

test('pages are decoded according to their header or their first bytes', () => {
  const latin = Buffer.from('<meta charset="iso-8859-1"><title>Müll</title>', 'latin1');
  assert.match(decoded(latin, 'text/html'), /Müll/);
  assert.match(decoded(Buffer.from('Müll', 'latin1'), 'text/html; charset=windows-1252'), /Müll/);
  assert.match(decoded(Buffer.from('Müll'), 'text/html'), /Müll/);
  assert.match(decoded(Buffer.from('Müll'), 'text/html; charset=made-up'), /Müll/);
});

test('previews are for the links that readers see, except those in quotes, code and spoilers', () => {
  const content = `See https://a.example/x, [this](https://b.example/) and https://a.example/x.
- <https://c.example/?q=1>

> https://quoted.example/

\`https://code.example/\` ||https://spoiler.example/||`;
  assert.deepEqual(linksIn(content), ['https://a.example/x', 'https://b.example/', 'https://c.example/?q=1']);
});
