import { after, before, test } from 'node:test';
import { writes } from '../rows/index.ts';
import { assemble, type Cast } from '../support/cast.ts';
import { checkWrite } from '../support/permissionMatrix.ts';
import { World } from '../support/world.ts';

let world: World;
let cast: Cast;
before(async () => {
  world = await World.open();
  cast = await assemble(world);
});
after(() => world.close());

for (const row of writes.filter(({ channels }) => !channels)) {
  // Own memberships are in permissions.members.test.ts: each user has another one.
  const memberships = row.noun.name === 'serverMember' && row.rule.owner;
  test(`${row.name}: every flag and identity`, () => {
    const roles = cast.roles.filter(({ identity }) => !memberships || !identity.startsWith('owner'));
    return checkWrite(row, cast, { roles });
  });
}
