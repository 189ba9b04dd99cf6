import { after, before, test } from 'node:test';
import { assemble, type Cast } from '../support/cast.ts';
import { makeChannel } from '../support/operationRequests.ts';
import { checkOperation } from '../support/permissionMatrix.ts';
import { type Operation, ruleTable } from '../support/permissionTable.ts';
import { type Json, World } from '../support/world.ts';

/** The writes that concern no channel, or make one. */
const operations = (Object.keys(ruleTable) as Operation[]).filter(
  (operation) =>
    operation === 'channel insert' || !/^(channel|indicator|message|pin|reaction|thread) /.test(operation),
);

let world: World;
let cast: Cast;
let channel: Json;
before(async () => {
  world = await World.open();
  cast = await assemble(world);
  channel = await makeChannel(cast, 'open');
});
after(() => world.close());

for (const operation of operations) {
  // An own membership is another for each key: permissions.members.test.ts.
  const memberships = operation === 'serverMember update' || operation === 'serverMember delete';
  test(`${operation}: every flag and identity`, () => {
    const roles = cast.roles.filter(({ identity }) => !memberships || !identity.startsWith('owner'));
    return checkOperation(operation, { cast, channel, kind: 'open' }, { roles });
  });
}
