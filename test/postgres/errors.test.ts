import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ConnectionLost, nameError } from '../../server/src/db/postgres/errors.ts';

for (const [code, syscall] of [
  ['EPIPE', 'write'],
  ['ECONNRESET', 'read'],
  ['ECONNREFUSED', 'connect'],
]) {
  test(`a socket error with ${code} counts as a connection error`, () => {
    const error = Object.assign(new Error(`${syscall} ${code}`), { code, syscall });
    assert.ok(nameError(error) instanceof ConnectionLost);
  });
}

test('a transaction that PostgreSQL ended because this process was frozen counts as a lost connection', () => {
  for (const code of ['25P03', '25P04', '57P05']) {
    assert.ok(
      nameError(Object.assign(new Error('terminating connection'), { code })) instanceof ConnectionLost,
    );
  }
});
