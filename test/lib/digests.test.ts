// @run sqlite: uses no database
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { forDigests } from '../../server/src/access/credentials/digests.ts';
import { q } from '../../server/src/db/statements.ts';

test('lookups of digests share one statement per power of two, because the last digest is repeated', () => {
  const statement = forDigests((digests) =>
    q.selectFrom('ticket').select('id').where('digest', 'in', digests),
  );
  const asked = (amount: number) => Array.from({ length: amount }, (_, at) => `digest ${at}`);
  for (let amount = 1; amount <= 17; amount++) {
    const { values } = statement(asked(amount));
    assert.deepEqual(new Set(Object.values(values)), new Set(asked(amount)));
    assert.equal(Object.keys(values).length, 2 ** Math.ceil(Math.log2(amount)));
  }
  assert.equal(statement(asked(3)).template, statement(asked(4)).template);
  assert.notEqual(statement(asked(4)).template, statement(asked(5)).template);
});
