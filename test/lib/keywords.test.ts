import assert from 'node:assert/strict';
import { test } from 'node:test';
import { KeywordIndex, keywordTerm } from '../../server/src/lib/text/keywords.ts';

/** Whether a message has a keyword. */
function has(keyword: string, content: string): boolean {
  const index = new KeywordIndex();
  index.set('ada', [keyword]);
  return index.usersIn(content).length > 0;
}

test('keywords match whole words, in any case and with or without accents', () => {
  for (const [keyword, content] of [
    ['harbour', 'The Harbour opens.'],
    ['HARBOUR', '**harbour**!'],
    ['release plan', 'the Release  Plan, version 2'],
    ['go', 'Go!'],
    ['x', 'x'],
    ['strasse', 'Hauptstraße? No: Straße'],
    ['Ökologie', 'okologie'],
    ['İstanbul', 'istanbul'],
    ['ﬁle', 'file'],
    ['c++', 'in C'],
    ['#42', 'ticket 42'],
    ['#42', '42. ticket'],
    ['помощь', 'Нужна ПОМОЩЬ'],
    ['مساعدة', 'أحتاج مُساعَدة'],
    ['東京', '明日は東京都に行く'],
    ['猫', '黒猫がいる'],
    ['ตลาด', 'ไปตลาดกัน'],
    ['도움', '도움이 필요해'],
    ['नमस्ते', 'नमस्ते दुनिया'],
  ] as const)
    assert.ok(has(keyword, content), `${keyword}: ${content}`);
  for (const [keyword, content] of [
    ['harbour', 'harbours'],
    ['harbour', 'old-harbourfront'],
    ['release plan', 'plan the release'],
    ['release plan', 'release a plan'],
    ['go', 'ago'],
    ['x', 'xy'],
    ['東京', '東の京'],
    ['', 'anything'],
    ['!!', '!!'],
  ] as const)
    assert.ok(!has(keyword, content), `${keyword}: ${content}`);
});

test("a user's keywords are replaced, and other users' keywords are kept", () => {
  const index = new KeywordIndex();
  index.set('bob', ['tide', 'Tide']);
  index.set('ada', ['tide', 'moon', 'it']);
  assert.deepEqual([index.size, index.usersIn('The tide')], [4, ['ada', 'bob']]);
  index.set('ada', ['moon']);
  assert.deepEqual(
    [index.size, index.usersIn('The tide and it'), index.usersIn('moon')],
    [2, ['bob'], ['ada']],
  );
  index.set('ada', []);
  index.set('bob', []);
  assert.deepEqual([index.size, index.usersIn('tide moon')], [0, []]);
});

test('keywords from 10,000 members add little to the cost of a send, for any keywords and message', () => {
  const letters = 'abcdefghij';
  const word = (number: number) => String(number).replace(/\d/g, (digit) => letters[Number(digit)] as string);
  const index = new KeywordIndex();
  for (let member = 0; member < 10_000; member++)
    index.set(
      `member-${member}`,
      Array.from({ length: 20 }, (_, at) =>
        // Keywords of every length with the same start, so every length is looked up.
        at < 4 ? `${'a'.repeat(3 + ((member + at) % 45))}${word(at)}` : word(member * 20 + at),
      ),
    );
  const least = (content: string): number =>
    Math.min(
      ...Array.from({ length: 5 }, () => {
        const before = process.cpuUsage();
        index.usersIn(content);
        const { user, system } = process.cpuUsage(before);
        return (user + system) / 1000;
      }),
    );
  const ordinary = 'The harbour opens at six, and the tide turns at half past seven. '.repeat(5);
  assert.ok(least(ordinary) < 5, `an ordinary message: ${least(ordinary)} ms`);
  for (const hostile of ['aaaa '.repeat(1_600), 'a'.repeat(8_000), '東'.repeat(8_000), 'a '.repeat(4_000)])
    assert.ok(least(hostile) < 25, `${hostile.slice(0, 10)}: ${least(hostile)} ms`);
});

test('a term consists of the folded words', () => {
  assert.equal(keywordTerm('  Release–Plan! '), 'release plan');
  assert.equal(keywordTerm('🎉'), '');
});
