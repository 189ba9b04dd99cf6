import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { schemaOfEvent } from '../../scripts/client.ts';
import { pathOf, writes } from '../operations/index.ts';
import { EventStage } from '../support/eventStage.ts';
import { endOf, logOf } from '../support/log.ts';
import { type Json, World } from '../support/world.ts';

// The client's types say what the data of each event are. Here the server says so too.

let world: World;
let ajv: Ajv2020;
before(async () => {
  world = await World.open();
  const document = await (await fetch(`${world.url}/openapi.json`)).json();
  ajv = new Ajv2020({ strict: false, validateFormats: false }).addSchema(document as object, 'document');
});
after(() => world.close());

for (const row of writes) {
  for (const { what, write } of row.events) {
    test(`${row.name}, ${what}: the data of its events are what the client says`, async () => {
      const stage = await EventStage.open(world);
      const { id, body, as = stage.home.admin } = await write(stage);
      const server = stage.home.server.id;
      const begin = await endOf(world, server);
      await { POST: as.post, PATCH: as.patch, DELETE: as.delete }[row.method](pathOf(row, id), body);
      for (const { type, data } of (await logOf(world, server, begin)) as Json[]) {
        const isValid = ajv.validate({ $ref: `document#/components/schemas/${schemaOfEvent(type)}` }, data);
        assert.ok(isValid, `${type}: ${ajv.errorsText()}`);
      }
    });
  }
}
