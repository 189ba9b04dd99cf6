// @run sqlite: tests texts before any data is written
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { lineText, mentionsIn, parseMessage } from '../../server/src/lib/text/index.ts';
import { escaped, link, unmentioning } from '../../server/src/payloads/commonmark.ts';
import { beginConversion } from '../../server/src/payloads/loose.ts';
import { rendered, templateOf } from '../../server/src/payloads/template.ts';
import * as pieces from '../support/markdownPieces.ts';

// Third-party text, such as in payloads of code forges, is shown unchanged and mentions nobody.

const marks = [...pieces.marks, '!', '|', '&', '#'];
const words = [...pieces.words, '1', '+', '=', ':', '/', '&amp;'];
const lines = [
  '# ',
  '> ',
  '- ',
  '1. ',
  '    ',
  '---',
  '===',
  '|-|',
  '[a]: ',
  '<b>',
  '</b>',
  '<a@b.example>',
  '- [x] ',
];
const names = ['@ada', '@', '_@ada', '.@ada', '-@ada', '/@ada', '看@ada', '@ada@ada', '&#64;ada', '#ada'];
const urls = [
  'https://a.example',
  'HTTPS://a.example/b?c=d',
  'https://[::1]/',
  'https://a.example/(',
  'www.a.example',
];

const anyText = (...some: readonly string[]) =>
  fc.array(fc.constantFrom(...some), { maxLength: 14 }).map((parts) => parts.join(''));

const budget = { numRuns: 4_000 };

test('third-party text mentions nobody', () => {
  fc.assert(
    fc.property(anyText(...marks, ...words, ...lines, ...names, ...urls), (text) => {
      beginConversion();
      assert.deepEqual(mentionsIn(unmentioning(text), 50), [], text);
      assert.deepEqual(mentionsIn(escaped(unmentioning(text)), 50), [], text);
      assert.deepEqual(mentionsIn(link(`https://a.example/${text}`, unmentioning(text)), 50), [], text);
    }),
    budget,
  );
});

test('plain text without addresses is shown unchanged', () => {
  const shown = (text: string) => text.replace(/\s+/g, ' ').trim();
  fc.assert(
    fc.property(anyText(...marks, ...words, ...lines), (text) => {
      beginConversion();
      const content = escaped(text);
      assert.equal(lineText(content), shown(text), JSON.stringify(content));
      assert.ok(!JSON.stringify(parseMessage(content)).includes('spoiler'), content);
    }),
    budget,
  );
});

test("a template's values mention nobody, wherever they are", () => {
  const templates = [
    '{{a}}',
    '@{{a}}',
    '**{{a}}**{{b}}',
    '{{a}}{{b}}',
    '`{{a}}` {{b}}',
    '```\n{{a}}\n```\n{{b}}',
    '[x]({{a}}) {{b}}',
    '[x](https://a.example/{{a}})',
    '> {{a}}\n- {{b}}',
  ].map(templateOf);
  const anything = anyText(...marks, ...words, ...lines, ...names, ...urls);
  fc.assert(
    fc.property(fc.constantFrom(...templates), anything, anything, (template, a, b) => {
      const content = rendered(template, { a, b });
      assert.deepEqual(mentionsIn(content, 50), [], content);
    }),
    budget,
  );
});
