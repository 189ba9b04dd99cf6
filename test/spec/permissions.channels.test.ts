import { after, before, test } from 'node:test';
import { assemble, type Cast } from '../support/cast.ts';
import { makeChannel } from '../support/operationRequests.ts';
import { checkOperation } from '../support/permissionMatrix.ts';
import { type ChannelKind, channelKinds, type Operation } from '../support/permissionTable.ts';
import { World } from '../support/world.ts';

/** The writes that concern a channel, and the kinds of channel that make a difference to them. */
const operations: Partial<Record<Operation, readonly ChannelKind[]>> = {
  'channel update': channelKinds,
  'channel delete': channelKinds,
  'indicator insert': channelKinds,
  'indicator update': ['open', 'readonly'],
  'indicator delete': ['open', 'readonly'],
  'message insert': channelKinds,
  'message update': channelKinds,
  'message delete': channelKinds,
  'pin insert': channelKinds,
  'pin delete': channelKinds,
  'reaction insert': channelKinds,
  'reaction delete': channelKinds,
  'thread insert': channelKinds,
  'thread update': channelKinds,
  'thread delete': channelKinds,
};

let world: World;
let cast: Cast;
before(async () => {
  world = await World.open();
  cast = await assemble(world);
});
after(() => world.close());

for (const [operation, kinds] of Object.entries(operations) as [Operation, readonly ChannelKind[]][]) {
  for (const kind of kinds) {
    test(`${operation}, ${kind} channel: every flag and identity`, async () => {
      const channel = await makeChannel(cast, kind);
      await checkOperation(operation, { cast, channel, kind }, { kind });
    });
  }
}
