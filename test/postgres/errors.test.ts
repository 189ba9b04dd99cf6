import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ConnectionLost, nameError } from '../../server/src/db/postgres/errors.ts';

for (const [code, syscall] of [
  ['EPIPE', 'write'],
  ['ECONNRESET', 'read'],
  ['ECONNREFUSED', 'connect'],
]) {
  test(`${code} of a socket is about the connection`, () => {
    const error = Object.assign(new Error(`${syscall} ${code}`), { code, syscall });
    assert.ok(nameError(error) instanceof ConnectionLost);
  });
}
