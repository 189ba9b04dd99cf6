import { after, before, test } from 'node:test';
import { sampled, writes } from '../rows/index.ts';
import { assemble, type Cast } from '../support/cast.ts';
import { askersOf, checkWrite } from '../support/permissionMatrix.ts';
import { World } from '../support/world.ts';

let world: World;
let cast: Cast;
before(async () => {
  world = await World.open();
  cast = await assemble(world);
});
after(() => world.close());

for (const row of sampled(
  writes.filter(({ channels }) => channels),
  ({ noun }) => noun,
)) {
  for (const kind of row.channels ?? []) {
    test(`${row.name}, ${kind} channel: ${askersOf(row)}`, () => checkWrite(row, cast, { kind }));
  }
}
