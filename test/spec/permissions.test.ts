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
  writes.filter(({ channels }) => !channels),
  ({ noun }) => noun,
)) {
  // permissions.members.test.ts covers own memberships, because each user has a different one.
  const memberships = row.noun.name === 'serverMember' && row.rule.owner;
  test(`${row.name}: ${askersOf(row)}`, () => {
    const roles = cast.roles.filter(({ identity }) => !memberships || !identity.startsWith('owner'));
    return checkWrite(row, cast, { roles });
  });
}
