// @run sqlite: tests functions
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  COMMON_PASSWORDS,
  CommonPasswords,
  DIGEST_BYTES,
  readCommonPasswords,
} from '../../server/src/accounts/commonPasswords.ts';
import { weaknessOf } from '../../server/src/accounts/weakPassword.ts';
import { seeded } from '../support/seeded.ts';

const common = await readCommonPasswords();
const names = [
  'palaver',
  'ada.lovelace',
  'Ada Lovelace',
  'countess@analytical-engine.example',
  null,
  undefined,
];
const check = (password: string) => weaknessOf(password, names, common);

const weak: Record<string, readonly string[]> = {
  common: [
    ...['password', 'PASSWORD', 'football', 'qwertyuiop', '1q2w3e4r', 'sunshine1', 'iloveyou', 'princess1'],
    ...[
      'P@ssw0rd',
      'Passw0rd123',
      'pa$$word',
      'Summer2026',
      'summer2026!',
      '!!dragon99',
      '$unshine',
      'Monkey#1',
    ],
    ...[
      'ｐａｓｓｗｏｒｄ',
      'letmein2026',
      'passwordpassword',
      'l3tm31n!',
      'Welcome1!',
      '123456789',
      'abcd1234',
    ],
  ],
  name: [
    ...['palaver1', 'Palaver2026!', 'p@laver!', 'palaverpalaver', 'ada.lovelace'],
    ...[
      'lovelace1815',
      'L0velace!',
      'Countess99',
      'countess@analytical-engine.example',
      'analytical1',
      'ada lovelace',
    ],
  ],
  repeated: ['        ', 'aaaaaaaa', '11111111', 'abababab', 'xyzxyzxyz', '\u3000'.repeat(9)],
};

for (const [reason, passwords] of Object.entries(weak))
  test(`refuses passwords that are easy to guess: ${reason}`, () => {
    const other = passwords.filter((password) => check(password) !== reason);
    assert.deepEqual(other, []);
  });

test('accepts passwords that are hard to guess', () => {
  const strong = [
    ...[
      'correct horse battery staple',
      'a new horse altogether',
      'Tr0ub4dor&3xkcd',
      'kaffee-um-vier-bei-oma',
    ],
    ...[
      'ada reads at night',
      'palaver is not a password',
      'zwölf Boxkämpfer jagen',
      'パスワードではない文',
      'x9!kQ2#v',
    ],
  ];
  assert.deepEqual(strong.filter(check), []);
});

test('random passwords are accepted', () => {
  const random = seeded();
  const alphabet = [...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'];
  let refused = 0;
  for (let round = 0; round < 10_000; round++) {
    const password = Array.from({ length: 14 }, () => random.pick(alphabet)).join('');
    if (check(password)) refused++;
  }
  assert.ok(refused <= 10, `${refused} of 10,000`);
});

test('the list is complete, and in ascending order, which the lookup relies on', () => {
  const bytes = readFileSync(join(import.meta.dirname, '../../server/src/accounts', COMMON_PASSWORDS));
  const digests = Array.from({ length: bytes.length / DIGEST_BYTES }, (_, at) =>
    bytes.readUInt32BE(at * DIGEST_BYTES),
  );
  assert.ok(digests.length > 119_000, String(digests.length));
  assert.ok(digests.every((digest, at) => at === 0 || digest > (digests[at - 1] as number)));
  const all = new CommonPasswords(bytes);
  assert.ok(all.has('password') && all.has('dragon') && !all.has('dragon '));
  assert.ok(!new CommonPasswords(Buffer.alloc(0)).has('password'));
});
