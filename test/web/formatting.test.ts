import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changeFor, type Format } from '../../web/features/composer/formatting/change.ts';

/** Toggles a format. The selection is between brackets ⟦ and ⟧, before and afterwards. */
function toggled(format: Format, marked: string): string {
  const start = marked.indexOf('⟦');
  const end = marked.indexOf('⟧') - 1;
  const text = marked.replace(/[⟦⟧]/g, '');
  const change = changeFor(format, { text, start, end });
  const next = text.slice(0, change.from) + change.insert + text.slice(change.to);
  return `${next.slice(0, change.start)}⟦${next.slice(change.start, change.end)}⟧${next.slice(change.end)}`;
}

/** Checks that toggling a format changes the text, and that toggling it again restores it. */
function toggles(format: Format, before: string, after: string): void {
  assert.equal(toggled(format, before), after);
  assert.equal(toggled(format, after), before, `${format} again`);
}

test('a mark is added around the selection, and removed wherever the selection has it', () => {
  toggles('bold', 'a ⟦word⟧ b', 'a **⟦word⟧** b');
  toggles('italic', '**⟦word⟧**', '***⟦word⟧***');
  toggles('strike', '⟦⟧', '~~⟦⟧~~');
  assert.equal(toggled('bold', 'a ⟦**word**⟧ b'), 'a ⟦word⟧ b');
  assert.equal(toggled('bold', '***⟦word⟧***'), '*⟦word⟧*');
  assert.equal(toggled('italic', '⟦***word***⟧'), '⟦**word**⟧');
  assert.equal(toggled('italic', '⟦**word**⟧'), '*⟦**word**⟧*');
  assert.equal(toggled('italic', '⟦*a* and *b*⟧'), '*⟦*a* and *b*⟧*');
  assert.equal(toggled('bold', '⟦ word ⟧'), ' **⟦word⟧** ');
});

test('at the end of a formatted text, a mark moves the caret out of it', () => {
  assert.equal(toggled('bold', 'a **word⟦⟧** b'), 'a **word**⟦⟧ b');
  assert.equal(toggled('italic', 'a **word⟦⟧** b'), 'a **word*⟦⟧*** b');
  assert.equal(toggled('strike', 'a ⟦⟧~~word~~'), 'a ~~⟦⟧~~~~word~~');
});

test('several lines are formatted one by one, because a mark ends with its paragraph', () => {
  toggles('bold', '⟦one\n\n- two\n> three⟧', '⟦**one**\n\n- **two**\n> **three**⟧');
  assert.equal(toggled('strike', '⟦~~one~~\ntwo⟧'), '⟦~~one~~\n~~two~~⟧');
});

test('code that contains backticks is wrapped in longer runs of backticks', () => {
  toggles('code', '⟦a b⟧', '`⟦a b⟧`');
  assert.equal(toggled('code', '⟦a`b⟧'), '⟦`` a`b ``⟧');
  assert.equal(toggled('code', '⟦`` a`b ``⟧'), '⟦a`b⟧');
  assert.equal(toggled('code', '⟦`a`⟧'), '⟦a⟧');
  assert.equal(toggled('code', '⟦a\nb⟧'), '```\n⟦a\nb⟧\n```');
});

test('lists and quotes have one marker per line, and a list can change its kind', () => {
  toggles('bulleted', '⟦one\ntwo⟧', '⟦- one\n- two⟧');
  toggles('ordered', 'text\n\n⟦one\n  two\n\nthree⟧', 'text\n\n⟦1. one\n  2. two\n\n3. three⟧');
  toggles('quote', '⟦one\n\ntwo⟧', '⟦> one\n>\n> two⟧');
  toggles('bulleted', 'one ⟦two⟧ three', '- one ⟦two⟧ three');
  toggles('quote', 'on⟦⟧e', '> on⟦⟧e');
  assert.equal(toggled('ordered', '⟦- one\n* two⟧'), '⟦1. one\n2. two⟧');
  assert.equal(toggled('bulleted', '⟦- one\ntwo⟧'), '⟦- one\n- two⟧');
  assert.equal(toggled('bulleted', '⟦⟧'), '- ⟦⟧');
  assert.equal(toggled('quote', '⟦⟧'), '> ⟦⟧');
  // A line break at the end of the selection does not select the next line.
  assert.equal(toggled('quote', '⟦one\n⟧\ntwo'), '> ⟦one⟧\n\ntwo');
  // The caret is at the very beginning, before an empty line.
  assert.equal(toggled('bulleted', '⟦⟧\none'), '- ⟦⟧\n\none');
});

test('a line of text next to a list or quote does not become part of it', () => {
  assert.equal(toggled('quote', 'a\n⟦b⟧\nc'), 'a\n> ⟦b⟧\n\nc');
  assert.equal(toggled('quote', '⟦a⟧\n> b'), '> ⟦a⟧\n> b');
  assert.equal(toggled('bulleted', '⟦a⟧\n- b\nc'), '- ⟦a⟧\n- b\nc');
  assert.equal(toggled('quote', '> a\n> ⟦b⟧'), '> a\n\n⟦b⟧');
  assert.equal(toggled('ordered', '1. a\n2. ⟦b⟧\n3. c'), '1. a\n\n⟦b⟧\n3. c');
});

test('a code block gets a fence longer than those inside it, and is removed around the caret', () => {
  toggles('block', '⟦one\ntwo⟧', '```\n⟦one\ntwo⟧\n```');
  toggles('block', 'a\n⟦b⟧\nc', 'a\n```\n⟦b⟧\n```\nc');
  toggles('block', '⟦⟧', '```\n⟦⟧\n```');
  assert.equal(toggled('block', '⟦```\na\n```⟧'), '⟦a⟧');
  assert.equal(toggled('block', '```js\na\n⟦⟧b\n```\nc'), 'a\n⟦⟧b\nc');
  assert.equal(toggled('block', '~~~\na⟦⟧'), 'a⟦⟧');
  assert.equal(toggled('block', '⟦a ``` b⟧'), '````\n⟦a ``` b⟧\n````');
  assert.equal(toggled('block', '```\na\n```\n⟦b⟧'), '```\na\n```\n```\n⟦b⟧\n```');
});

test('a link selects its missing part, and can be removed', () => {
  assert.equal(toggled('link', 'a ⟦word⟧'), 'a [word](⟦url⟧)');
  assert.equal(toggled('link', '⟦https://example.com/a⟧'), '[⟦⟧](https://example.com/a)');
  assert.equal(toggled('link', '⟦⟧'), '[⟦⟧](url)');
  assert.equal(toggled('link', '[⟦word⟧](https://example.com)'), '⟦word⟧');
  assert.equal(toggled('link', '⟦[word](https://example.com)⟧'), '⟦word⟧');
});

test('every format can be toggled on any selection', () => {
  const texts = [
    '',
    '\n',
    '**',
    '****',
    '`',
    '> \n\n',
    '```\n',
    '- \n1. \n',
    'a\n```\nb\n~~~\n```',
    '[](',
    '***a***\n*b*',
  ];
  const all: Format[] = ['bold', 'italic', 'strike', 'link', 'ordered', 'bulleted', 'quote', 'code', 'block'];
  for (const text of texts)
    for (let start = 0; start <= text.length; start++)
      for (let end = start; end <= text.length; end++)
        for (const format of all) {
          const { from, to, insert, ...next } = changeFor(format, { text, start, end });
          const length = text.length - (to - from) + insert.length;
          const about = JSON.stringify({ text, start, end, format });
          assert.ok(0 <= from && from <= to && to <= text.length, about);
          assert.ok(0 <= next.start && next.start <= next.end && next.end <= length, about);
        }
});
