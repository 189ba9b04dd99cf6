import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { exported, imported } from '../../scripts/strings/exchange.ts';
import { type Data, ENGLISH, flat, type Texts, textsIn, web, write } from '../../scripts/strings/files.ts';
import { textFindings, translationFindings, useFindings } from '../../scripts/strings/findings.ts';
import { usesOf } from '../../scripts/strings/used.ts';
// @ts-expect-error: plain JavaScript, without types
import { languagesIn } from '../../web/buildLanguages.js';
// @ts-expect-error: plain JavaScript, without types
import { partsOf, textOf, valuesOf } from '../../web/messages.js';
import { texts } from '../../web/strings/texts.ts';

const english = await textsIn(ENGLISH);
const others: string[] = languagesIn(web).filter((language: string) => language !== ENGLISH);

describe('a text', () => {
  const t = texts({
    plain: 'Leave',
    named: 'Leave {name}?',
    counted: '{count, plural, =0 {No replies} one {# reply of {name}} other {# replies}}, {names, list}',
    chosen: '{kind, select, file {{0} is full} other {All are full}}',
    list: ['{count} of {most}'],
  });

  test('is filled with names, numbers, lists, and the matching plural form', () => {
    assert.equal(t.plain, 'Leave');
    assert.equal(t.named({ name: '# {count} $&' }), 'Leave # {count} $&?');
    assert.equal(t.counted({ count: 0, name: 'Ada', names: ['Ada'] }), 'No replies, Ada');
    assert.equal(t.counted({ count: 1, name: '#', names: ['Ada', 'Ben'] }), '1 reply of #, Ada and Ben');
    assert.equal(t.counted({ count: 1234, name: '', names: ['Ada'] }), '1,234 replies, Ada');
    assert.equal(t.chosen({ kind: 'file', 0: 'C' }), 'C is full');
    assert.equal(t.chosen({ kind: 'disk', 0: 'C' }), 'All are full');
    assert.equal(t.list[0]({ count: 1, most: 2000 }), '1 of 2,000');
  });

  test('does not compile if a value is missing, misspelt or of another type', () => {
    // @ts-expect-error: no name
    t.named({});
    // @ts-expect-error: no such value
    t.named({ nme: 'Ada' });
    // @ts-expect-error: a value inside a plural form
    t.counted({ count: 1, names: [] });
    // @ts-expect-error: a count is a number
    t.counted({ count: '1', name: '', names: [] });
    // @ts-expect-error: a message needs its values
    const text: string = t.named;
    // @ts-expect-error: a translation with another value
    const translated: { named: typeof t.named } = texts({ named: '{who} verlassen?' });
    assert.notEqual(text, translated);
  });

  test('is parsed in the same way by the checks and by the pages', () => {
    for (const text of flat(english).values()) {
      const parts = partsOf(text);
      assert.equal(textOf(parts), text);
      if (!text.includes('{')) continue;
      const needed: string[] = [...valuesOf(parts)];
      const values = needed.map((value) => {
        const [name, kind] = value.split(', ');
        return [name, kind === 'list' ? ['\u2063'] : kind === 'plural' ? 7 : '\u2063'];
      });
      const { filled } = texts({ filled: text } as { filled: '{x}' });
      assert.doesNotMatch(filled(Object.fromEntries(values)), /[{}]|undefined/, text);
    }
  });
});

const of = (data: Data): Texts => ({ page: { thing: data } });

describe('the check for texts', () => {
  test('rejects a text that cannot be parsed', () => {
    for (const text of [
      '{',
      'a } b',
      '{a b}',
      '{n, plural}',
      '{n, plural, one {#}}',
      '{n, plural, some {#} other {#}}',
      '',
    ])
      assert.equal(textFindings(ENGLISH, of(text)).length, 1, text);
    assert.deepEqual(textFindings('pl', of('{n, plural, one {#} other {#}}')), [
      'page.thing has {n} without the form "many"',
      'page.thing has {n} without the form "few"',
    ]);
    assert.deepEqual(textFindings(ENGLISH, of('{n, plural, =0 {none} one {#} few {#} other {#}}')), [
      'page.thing has {n} with the form "few", which the language does not use',
    ]);
  });

  test('rejects a translation that lacks a text, has an extra one, or other values', () => {
    const source = of({ a: 'A', b: 'B {name}', list: ['{count, plural, one {#} other {#}}'] });
    assert.deepEqual(translationFindings(source, of({ b: 'B {nme}', c: 'C', list: ['{count}'] })), [
      'page.thing.a is missing',
      'page.thing.c is not in English',
      'page.thing.b has {nme}, and English has {name}',
      'page.thing.list.0 has {count}, and English has {count, plural}',
    ]);
    assert.deepEqual(translationFindings(source, source), []);
  });

  test('rejects an unused text, and a text that is repeated in three files', () => {
    const source = {
      one: { a: { x: 'Same', y: 'Y', z: ['Z'] } },
      two: { b: { x: 'Same' } },
      three: { c: { x: 'Same' } },
    };
    const code = [
      "import { a as t } from '../strings/en/one.ts';\nconst words = t.z; show(t.x); // t.y.",
      "import { b } from '../strings/en/two.ts';\nimport { c } from '../strings/en/three.ts';\nshow(b.x, c\n  .x);",
    ];
    const found = (all: readonly string[]) => useFindings(source, [flat(source)], usesOf(source, all));
    assert.deepEqual(found(code.map((each) => each.replace('// t.y.', 't.y'))), [
      'en: one.a.x, two.b.x, three.c.x have the same text: move it to `common`',
    ]);
    assert.deepEqual(found([code[0]?.replace('// t.y.', '') ?? '']), [
      'en: one.a.y is unused',
      'en: two.b.x is unused',
      'en: three.c.x is unused',
    ]);
  });

  test('finds no problem in the current texts', async () => {
    for (const language of others) {
      const own = await textsIn(language);
      assert.deepEqual([...textFindings(language, own), ...translationFindings(english, own)], []);
    }
  });
});

describe('texts for a translator', () => {
  const folder = mkdtempSync(join(tmpdir(), 'palaver-texts-'));
  after(() => rmSync(folder, { recursive: true }));
  const read = (from: string) =>
    Object.fromEntries(
      readdirSync(from)
        .filter((name) => name !== 'emojiNames.ts')
        .map((name) => [name, readFileSync(join(from, name), 'utf8')]),
    );

  test('are exported as one JSON file and imported unchanged', async () => {
    for (const language of others) {
      const json = JSON.stringify(await exported(language));
      write(language, imported(JSON.parse(json)), join(folder, language));
      assert.deepEqual(read(join(folder, language)), read(join(web, 'strings', language)));
    }
  });

  test('of a new language are complete, and in English', async () => {
    const all = imported(await exported('nl'));
    assert.deepEqual([...textFindings('nl', all), ...translationFindings(english, all)], []);
  });
});
