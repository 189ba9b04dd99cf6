import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type BodyRow, bodies, pathOf, sampled } from '../rows/index.ts';
import { assertRefused, dataOf } from '../support/expect.ts';
import { fieldsOf, valuesOf } from '../support/fields.ts';
import type { Ready } from '../support/ready.ts';
import { Scene } from '../support/scene.ts';
import { type Answer, World } from '../support/world.ts';

let world: World;
let scene: Scene;
before(async () => {
  world = await World.open();
  scene = await Scene.open(world);
});
after(() => world.close());

/** Sends a valid request with some fields replaced. */
async function send(
  { row, ready }: BodyRow,
  fields: object,
  prepared?: Promise<Ready>,
  within = scene,
): Promise<Answer> {
  const { id, body } = await (prepared ?? ready(within));
  return world.request(row.method, pathOf(row, id), {
    body: { ...body, ...fields },
    headers: { authorization: `Bearer ${within.admin.key}` },
  });
}

const describe = (name: string, value: unknown): string =>
  `${name}: ${(JSON.stringify(value) ?? 'undefined').slice(0, 60)}`;

// These requests are rejected before any data is read, so one per noun is enough on the second engine.
for (const form of sampled(bodies, ({ row }) => row.noun)) {
  test(`${form.name}: values of the wrong type or out of bounds are rejected`, async () => {
    const ready = form.ready(scene);
    for (const { name, kind } of fieldsOf(form.fields)) {
      for (const value of valuesOf[kind].bad) {
        assertRefused(
          await send(form, { [name]: value }, ready),
          'INVALID_REQUEST',
          describe(name, value),
          name,
        );
      }
    }
    assert.equal((await send(form, {}, ready)).status, 200, 'the request itself is valid');
  });

  test(`${form.name}: text with U+0000 or an unpaired surrogate is rejected`, async () => {
    const ready = form.ready(scene);
    for (const { name, kind } of fieldsOf(form.fields)) {
      for (const bad of ['a\0b', '\ud800', 'a\udc00b', '\udc00\ud800']) {
        for (const value of [kind === 'strings' || kind === 'references' ? [bad] : bad, { a: [bad] }]) {
          assertRefused(
            await send(form, { [name]: value }, ready),
            'INVALID_REQUEST',
            describe(name, value),
            name,
          );
        }
      }
    }
    assertRefused(await send(form, { unknown: 'a\0b' }, ready), 'INVALID_REQUEST', 'in an unknown field');
  });

  test(`${form.name}: a body that is not an object is rejected`, async () => {
    const { id } = await form.ready(scene);
    const headers = { authorization: `Bearer ${scene.admin.key}`, 'content-type': 'application/json' };
    for (const raw of ['[]', '[{}]', '"text"', '5', 'true', 'null', '']) {
      const answer = await world.request(form.row.method, pathOf(form.row, id), { raw, headers });
      assertRefused(answer, 'INVALID_REQUEST', raw);
    }
  });

  test(`${form.name}: unknown fields are ignored and reported`, async () => {
    const answer = await send(form, { contnet: 1, foo: { bar: [] } });
    dataOf(answer);
    assert.equal(answer.headers.get('ignored-parameters'), 'contnet, foo');
    const known = await send(form, {});
    assert.equal(known.headers.get('ignored-parameters'), null);
  });
}

for (const form of bodies) {
  test(`${form.name}: values within bounds are accepted`, async () => {
    // Uses a new server, because channel names must be unique.
    const own = await Scene.open(world);
    for (const { name, kind } of fieldsOf(form.fields)) {
      for (const value of valuesOf[kind].good) {
        dataOf(await send(form, { [name]: value }, undefined, own), describe(name, value));
      }
    }
  });

  test(`${form.name}: null clears nullable fields, and required fields are required`, async () => {
    const ready = form.ready(scene);
    const { id, body } = await ready;
    for (const { name, required, nullable, kind } of fieldsOf(form.fields)) {
      if (nullable) {
        if (form.row.method === 'PATCH') dataOf(await send(form, { [name]: null }, ready), name);
      } else if (required || !['reference', 'time', 'uses'].includes(kind)) {
        assertRefused(await send(form, { [name]: null }, ready), 'INVALID_REQUEST', `${name}: null`, name);
      }
      if (!required) continue;
      const { [name]: _left, ...rest } = body ?? {};
      const answer = await world.request(form.row.method, pathOf(form.row, id), {
        body: rest,
        headers: { authorization: `Bearer ${scene.admin.key}` },
      });
      // These operations take one of two targets. Without either, the error names the channel.
      const isPlace = ['threadInsert', 'messageSend'].includes(form.row.name) && name.endsWith('Id');
      assertRefused(answer, 'INVALID_REQUEST', `without ${name}`, isPlace ? 'channelId' : name);
    }
  });

  test(`${form.name}: an id without a record is NOT_FOUND`, async () => {
    const ready = form.ready(scene);
    for (const { name, kind } of fieldsOf(form.fields)) {
      if (kind !== 'reference' && kind !== 'references') continue;
      for (const none of ['0193a5f0-7b1c-7d2e-8f3a-4b5c6d7e8f90', 'no-uuid', "' or 1=1 --", 'ﬀ\u202e']) {
        const value = kind === 'references' ? [none] : none;
        assertRefused(await send(form, { [name]: value }, ready), 'NOT_FOUND', describe(name, value));
      }
    }
    if (form.row.method === 'PATCH') {
      const { body } = await ready;
      for (const none of ['0193a5f0-7b1c-7d2e-8f3a-4b5c6d7e8f90', 'no-uuid', '%27', '%E2%82%AC']) {
        assertRefused(await scene.admin.patch(pathOf(form.row, none), body ?? {}), 'NOT_FOUND', none);
      }
    }
    assert.equal((await send(form, {}, ready)).status, 200, 'the request itself is valid');
  });
}
