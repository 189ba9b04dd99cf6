import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { type Document, eventsIn } from '../../scripts/client.ts';
import { pathOf, writes } from '../rows/index.ts';
import { EventStage } from '../support/eventStage.ts';
import { endOf, logOf } from '../support/log.ts';
import { type Json, World } from '../support/world.ts';

// The client's types are generated from the OpenAPI document. These tests validate the data of all events against the
// document's schemas.

let world: World;
let ajv: Ajv2020;
let schemas: ReadonlyMap<string, string>;
before(async () => {
  world = await World.open();
  const document = (await (await fetch(`${world.url}/openapi.json`)).json()) as Document;
  schemas = new Map(eventsIn(document, 'Event').map(({ type, schema }) => [type, schema]));
  ajv = new Ajv2020({ strict: false, validateFormats: false }).addSchema(document as object, 'document');
});
after(() => world.close());

for (const row of writes) {
  for (const { what, write } of row.events) {
    test(`${row.name}, ${what}: the data of its events matches the client's types`, async () => {
      const stage = await EventStage.open(world);
      const { id, body, as = stage.home.admin } = await write(stage);
      const server = stage.home.server.id;
      const begin = await endOf(world, server);
      await { POST: as.post, PATCH: as.patch, DELETE: as.delete }[row.method](pathOf(row, id), body);
      for (const { type, data } of (await logOf(world, server, begin)) as Json[]) {
        const isValid = ajv.validate({ $ref: `document#/components/schemas/${schemas.get(type)}` }, data);
        assert.ok(isValid, `${type}: ${ajv.errorsText()}`);
      }
    });
  }
}
