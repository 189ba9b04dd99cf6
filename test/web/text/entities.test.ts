import assert from 'node:assert/strict';
import { test } from 'node:test';

test('common entities are known immediately, and all others once they are loaded', async () => {
  // This copy of the module has its own state. Other tests in this process may have loaded all entities.
  const path = '../../../server/src/lib/text/entities.ts?fresh';
  const { entityOf, hasUncommonEntity, learnEntities } = await import(path);
  assert.equal(entityOf('amp'), '&');
  assert.equal(entityOf('Dcaron'), undefined);
  assert.equal(entityOf('constructor'), undefined);
  assert.equal(hasUncommonEntity('&Dcaron;'), true);
  assert.equal(hasUncommonEntity('&amp; & &#65; &copy'), false);
  const { allEntities } = await import('../../../server/src/lib/text/allEntities.ts');
  learnEntities(allEntities);
  assert.equal(entityOf('Dcaron'), 'Ď');
  assert.equal(hasUncommonEntity('&nope;'), false);
});
