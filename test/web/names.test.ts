// @run sqlite: needs no server
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cleanName } from '../../server/src/lib/names.ts';
import { safeName, withSafeNames } from '../../web/api/names.ts';
import { blank, hostileNames } from '../support/fields.ts';

test('names from older data are shown without characters that hide or reverse text', () => {
  for (const name of blank) assert.equal(safeName(name), '?', JSON.stringify(name));
  for (const name of hostileNames) {
    const safe = safeName(name);
    assert.doesNotMatch(safe, /[\p{Cc}\u202a-\u202e\u2066-\u2069\u200b\u00ad\u2028\u3164]|\p{M}{7}/u, safe);
    assert.match(safe, /[ab e]/);
  }
  for (const name of [
    'Ada',
    'Zoë',
    'می\u200cخواهم',
    '👩\u200d👩\u200d👧',
    '🏳\ufe0f\u200d🌈',
    '葛\u{e0100}城',
    'a b',
  ]) {
    assert.equal(safeName(name), name);
    assert.equal(cleanName(name, 100), name);
  }
});

test('all names in a response are made safe, and nothing else', () => {
  const user = { id: '1', name: 'a\u202eb', username: 'ada' };
  const answer = withSafeNames({
    data: [
      { nickname: 'c\u200bd', user, content: 'e\u202ef' },
      { name: null, nickname: '' },
    ],
    expanded: { users: { 1: { name: '\u3164' } } },
    meta: { name: 'g\u202eh' },
    steps: [{ name: '\u200b' }],
  });
  assert.deepEqual(answer, {
    data: [
      { nickname: 'cd', user: { ...user, name: 'ab' }, content: 'e\u202ef' },
      { name: null, nickname: '' },
    ],
    expanded: { users: { 1: { name: '?' } } },
    meta: { name: 'g\u202eh' },
    steps: [{ name: '\u200b' }],
  });
});
