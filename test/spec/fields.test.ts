import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { assertRefused, dataOf } from '../support/expect.ts';
import { type BodyTable, bodyTables, fieldsOf } from '../support/fieldTables.ts';
import { valuesOf } from '../support/fieldValues.ts';
import { pathOf, type Ready, writes } from '../support/operations.ts';
import { Scene } from '../support/scene.ts';
import { type Answer, World } from '../support/world.ts';

let world: World;
let scene: Scene;
before(async () => {
  world = await World.open();
  scene = await Scene.open(world);
});
after(() => world.close());

/** Sends a request that would succeed, with some fields put in. */
async function send(
  table: BodyTable,
  fields: object,
  ready?: Promise<Ready>,
  within = scene,
): Promise<Answer> {
  const { id, body } = await (ready ?? table.ready(within));
  return world.request(table.method, pathOf(table, id), {
    body: { ...body, ...fields },
    headers: { authorization: `Bearer ${within.admin.key}` },
  });
}

const describe = (name: string, value: unknown): string =>
  `${name}: ${(JSON.stringify(value) ?? 'undefined').slice(0, 60)}`;

test('the tables name every write that takes a body', () => {
  const named = new Set(bodyTables.map(({ name }) => name.split(' ')[0]));
  const specified = writes.filter(({ method }) => method !== 'DELETE').map(({ name }) => name);
  assert.deepEqual([...named].sort(), specified.sort());
});

for (const table of bodyTables) {
  test(`${table.name}: a value of the wrong type or out of bounds`, async () => {
    const ready = table.ready(scene);
    for (const { name, kind } of fieldsOf(table)) {
      for (const value of valuesOf[kind].bad) {
        assertRefused(
          await send(table, { [name]: value }, ready),
          'INVALID_REQUEST',
          describe(name, value),
          name,
        );
      }
    }
    assert.equal((await send(table, {}, ready)).status, 200, 'the request that was spoiled is a good one');
  });

  test(`${table.name}: a value within bounds`, async () => {
    // A server of its own, where no channel has one of these names.
    const own = await Scene.open(world);
    for (const { name, kind } of fieldsOf(table)) {
      for (const value of valuesOf[kind].good) {
        dataOf(await send(table, { [name]: value }, undefined, own), describe(name, value));
      }
    }
  });

  test(`${table.name}: null, and what is required`, async () => {
    const ready = table.ready(scene);
    const { id, body } = await ready;
    for (const { name, required, nullable, kind } of fieldsOf(table)) {
      if (nullable) {
        if (table.method === 'PATCH') dataOf(await send(table, { [name]: null }, ready), name);
      } else if (required || !['reference', 'time', 'uses'].includes(kind)) {
        assertRefused(await send(table, { [name]: null }, ready), 'INVALID_REQUEST', `${name}: null`, name);
      }
      if (!required) continue;
      const { [name]: _left, ...rest } = body ?? {};
      const answer = await world.request(table.method, pathOf(table, id), {
        body: rest,
        headers: { authorization: `Bearer ${scene.admin.key}` },
      });
      // A thread names its channel or its message: either is told to be missing.
      assertRefused(
        answer,
        'INVALID_REQUEST',
        `without ${name}`,
        table.name.startsWith('thread') ? undefined : name,
      );
    }
  });

  test(`${table.name}: text with U+0000 or an unpaired surrogate`, async () => {
    const ready = table.ready(scene);
    for (const { name, kind } of fieldsOf(table)) {
      for (const bad of ['a\0b', '\ud800', 'a\udc00b', '\udc00\ud800']) {
        for (const value of [kind === 'strings' || kind === 'references' ? [bad] : bad, { a: [bad] }]) {
          assertRefused(
            await send(table, { [name]: value }, ready),
            'INVALID_REQUEST',
            describe(name, value),
            name,
          );
        }
      }
    }
    assertRefused(await send(table, { unknown: 'a\0b' }, ready), 'INVALID_REQUEST', 'in an unknown field');
  });

  test(`${table.name}: an identifier that names nothing`, async () => {
    const ready = table.ready(scene);
    for (const { name, kind } of fieldsOf(table)) {
      if (kind !== 'reference' && kind !== 'references') continue;
      for (const none of ['0193a5f0-7b1c-7d2e-8f3a-4b5c6d7e8f90', 'no-uuid', "' or 1=1 --", 'ﬀ\u202e']) {
        const value = kind === 'references' ? [none] : none;
        assertRefused(await send(table, { [name]: value }, ready), 'NOT_FOUND', describe(name, value));
      }
    }
    if (table.method === 'PATCH') {
      const { body } = await ready;
      for (const none of ['0193a5f0-7b1c-7d2e-8f3a-4b5c6d7e8f90', 'no-uuid', '%27', '%E2%82%AC']) {
        assertRefused(await scene.admin.patch(pathOf(table, none), body), 'NOT_FOUND', none);
      }
    }
    assert.equal((await send(table, {}, ready)).status, 200, 'the request that was spoiled is a good one');
  });

  test(`${table.name}: a body that is no object`, async () => {
    const { id } = await table.ready(scene);
    const headers = { authorization: `Bearer ${scene.admin.key}`, 'content-type': 'application/json' };
    for (const raw of ['[]', '[{}]', '"text"', '5', 'true', 'null', '']) {
      const answer = await world.request(table.method, pathOf(table, id), { raw, headers });
      assertRefused(answer, 'INVALID_REQUEST', raw);
    }
  });

  test(`${table.name}: unknown fields are ignored and named`, async () => {
    const answer = await send(table, { contnet: 1, foo: { bar: [] } });
    dataOf(answer);
    assert.equal(answer.headers.get('ignored-parameters'), 'contnet, foo');
    const known = await send(table, {});
    assert.equal(known.headers.get('ignored-parameters'), null);
  });
}
