import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mentionsIn } from '../../../server/src/lib/text/index.ts';

const mentions = (content: string): string[] =>
  mentionsIn(content, 50).map(({ name, longer }) => (name === longer ? name : `${name}|${longer}`));

// One row per form: the text, and the users it mentions. `ada|ada.` is the user named "ada.", or if there is none,
// "ada".
for (const [content, ...wanted] of [
  // Next to spaces, punctuation and other scripts.
  ['@ada', 'ada'],
  ['hi @ada', 'ada'],
  ['@Ada @BOB', 'ada', 'bob'],
  ['@ada @ada', 'ada'],
  ['@ada, @bob; @eve: @joe!', 'ada', 'bob', 'eve', 'joe'],
  ['@ada.', 'ada|ada.'],
  ['@ada...', 'ada|ada...'],
  ['@ada-', 'ada|ada-'],
  ['@ada_', 'ada|ada_'],
  ['@__init__', '__init|__init__'],
  ['@a.b-c_d', 'a.b-c_d'],
  ['(@ada) "@bob" [@eve] {@joe}', 'ada', 'bob', 'eve', 'joe'],
  ["@ada's @bob’s", 'ada', 'bob'],
  ['“@ada” „@bob“ «@eve» 「@joe」', 'ada', 'bob', 'eve', 'joe'],
  ['@ada。@bob，@eve、@joe', 'ada', 'bob', 'eve', 'joe'],
  ['@ada؟ @bob، @eve। @joe…', 'ada', 'bob', 'eve', 'joe'],
  ['cc:@ada', 'ada'],
  ['.@ada -@bob', 'ada', 'bob'],
  ['@ada/@bob', 'ada', 'bob'],
  ['@ada|@bob', 'ada', 'bob'],
  ['😀@ada😀', 'ada'],
  ['你好@ada你好', 'ada'],
  ['@adaさん', 'ada'],
  ['@ada님', 'ada'],
  ['สวัสดี@adaครับ', 'ada'],
  ['و@ada', 'ada'],
  ['<@ada>', 'ada'],
  ['<b>@ada</b>', 'ada'],
  // Inside a word, an address or a path, a name mentions somebody else or nobody.
  ['x@ada'],
  ['foo_@ada'],
  ['hi.@ada'],
  ['привет@ada'],
  ['@adaпривет'],
  ['@adaé'],
  ['@ada\u0301'],
  ['@@ada'],
  ['#@ada'],
  ['ada@example.com'],
  ['jürgen@ada.example'],
  ['@ada@example.com'],
  ['<ada@example.com>'],
  ['mailto:x@ada.example'],
  ['https://example.com/@ada'],
  ['www.example.com/@ada'],
  ['example.com/@ada'],
  ['https://ada@example.com/'],
  [`@${'a'.repeat(32)}`, 'a'.repeat(32)],
  [`@${'a'.repeat(33)}`],
  ['@ ada @. @-'],
  ['＠ada'],
  ['@\u200bada'],
  // In formatting.
  ['*@ada* _@bob_ **@eve** __@joe__', 'ada', 'bob', 'eve', 'joe'],
  ['~~@ada~~ ~@bob~ ||@eve||', 'ada', 'bob', 'eve'],
  ['***@ada***', 'ada'],
  ['# @ada', 'ada'],
  ['@ada\n===', 'ada'],
  ['> @ada\n> > @bob', 'ada', 'bob'],
  ['- @ada\n  1. @bob\n- [x] @eve', 'ada', 'bob', 'eve'],
  ['| @ada | b |\n|---|---|\n| c | **@bob** |', 'ada', 'bob'],
  ['a\n@ada\r\n@bob', 'ada', 'bob'],
  ['*hi*@ada', 'ada'],
  // In code, links and escaped text.
  ['`@ada`'],
  ['look at `` `@ada` `` in code'],
  ['```\n@ada\n```'],
  ['```@ada\n```'],
  ['~~~\n@ada'],
  ['    @ada'],
  ['> ```\n> @ada'],
  ['`@ada', 'ada'],
  ['\\`@ada\\`', 'ada'],
  ['\\@ada'],
  ['\\\\@ada', 'ada'],
  ['&#64;ada &commat;ada'],
  ['[@ada](https://example.com)'],
  ['[**@ada**][a] @bob\n\n[a]: https://example.com', 'bob'],
  ['[a](https://example.com "@ada")'],
  ['![@ada](https://example.com/a.png)'],
  ['<a href="@ada">'],
  ['[@ada]', 'ada'],
] as const)
  test(`mentions in ${JSON.stringify(content)}`, () => assert.deepEqual(mentions(content), wanted));

test('the number of mentions is bounded', () => {
  const names = Array.from({ length: 60 }, (_, at) => `@user${at}`);
  assert.equal(mentionsIn(names.join(' '), 50).length, 50);
});
