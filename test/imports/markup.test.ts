// @run sqlite: converts texts, without an engine
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  customNameOf,
  emojiNamed,
  reactionNamed,
  reactionOf,
} from '../../server/src/imports/reading/emoji.ts';
import { convertedMarkdown } from '../../server/src/imports/reading/markdown.ts';

test('short names of emoji match those of other chat products', () => {
  const table: [string, string | undefined][] = [
    ['thumbsup', '👍'],
    ['+1', '👍'],
    ['tada', '🎉'],
    ['flag-us', '🇺🇸'],
    ['man-shrugging', '🤷‍♂️'],
    ['wave::skin-tone-2', '👋🏻'],
    ['wave_tone5', '👋🏿'],
    ['wave_medium_dark_skin_tone', '👋🏾'],
    ['party_parrot', undefined],
    ['constructor', undefined],
    ['', undefined],
  ];
  for (const [name, emoji] of table) assert.equal(emojiNamed(name), emoji, name);
  assert.equal(reactionNamed(':Party Parrot!:'), ':party_parrot_:');
  assert.equal(reactionNamed(''), undefined);
  assert.equal(reactionOf('❤'), '❤️');
  assert.equal(reactionOf('heart'), '❤️');
  assert.equal(customNameOf('ÄÖÜ'.repeat(50)).length, 32);
});

test('texts are only converted outside code', () => {
  const loud = (text: string): string => convertedMarkdown(text, (part) => part.toUpperCase());
  const table: [string, string][] = [
    ['a `b` c', 'A `b` C'],
    ['a ``b ` c`` d', 'A ``b ` c`` D'],
    ['a ` b', 'A ` B'],
    ['a\n```js\nb `c`\n```\nd', 'A\n```js\nb `c`\n```\nD'],
    ['a\n~~~\nb\n```\nc\n~~~\nd', 'A\n~~~\nb\n```\nc\n~~~\nD'],
    ['a\n```\nnever closed', 'A\n```\nnever closed'],
    ['> ```\n> b\n> ```\nc', '> ```\n> b\n> ```\nC'],
    [':tada: `:tada:` 10:30:45', '🎉 `:tada:` 10:30:45'],
  ];
  for (const [text, converted] of table) assert.equal(loud(text), converted.replace(':TADA:', '🎉'), text);
});

test('hostile texts are converted in linear time', () => {
  const parts = ['`', '``` ', '~~~\n', '> ```\n', ':a', ':tada:', '`a``b', '\n```x', '@', '<@', '~'];
  for (const part of parts) {
    const text = part.repeat(200_000 / part.length);
    const started = process.cpuUsage();
    convertedMarkdown(text, (each) => each);
    const { user } = process.cpuUsage(started);
    assert.ok(user < 4_000_000, `${JSON.stringify(part)} took ${user / 1_000} ms`);
  }
});
