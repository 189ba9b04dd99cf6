import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { assertRefused, dataOf } from '../support/expect.ts';
import { Scene } from '../support/scene.ts';
import { type Client, type Json, World } from '../support/world.ts';

// A holder of canEditApp tries to remove keys and webhooks with more permissions.

let world: World;
let scene: Scene;
let keeper: Client;
before(async () => {
  world = await World.open();
  scene = await Scene.open(world);
  keeper = await world.client(scene.server, ['canEditApp']);
});
after(() => world.close());

/** A role with access to a new private channel, and without any flag that the holder of canEditApp lacks. */
async function insider(): Promise<Json> {
  const role = await scene.role({ canEditApp: true });
  await scene.channel({ private: true, roleIds: [role.id] });
  return role;
}

const LACKS_MODERATE = /^this key's role lacks canModerate, which the key or webhook to revoke has/;
const LACKS_ADMIN = /^this key's role lacks .*canAdmin.*, which the key or webhook to revoke has/;
const SEES_MORE = /^this key or webhook sees private channels that yours cannot see/;
const ACTS_AS_ANOTHER = /^this key or webhook acts as another person, or as an agent/;

/**
 * Keys and webhooks that a holder of canEditApp could not have created: their paths, the flags required to
 * remove them, and the reason why the holder cannot.
 */
const beyond: Record<string, () => Promise<{ path: string; need: string[]; why: RegExp }>> = {
  "an admin's key": async () => {
    const { id } = (await world.client(scene.server, ['canAdmin'])).secret;
    return { path: `/secrets/${id}`, need: ['canAdmin'], why: LACKS_ADMIN };
  },
  'a key with one more flag': async () => {
    const { id } = await scene.secret({ roleId: (await scene.role({ canModerate: true })).id });
    return { path: `/secrets/${id}`, need: ['canModerate'], why: LACKS_MODERATE };
  },
  'a key that sees more channels': async () => {
    const { id } = await scene.secret({ roleId: (await insider()).id });
    return { path: `/secrets/${id}`, need: ['canAdmin'], why: SEES_MORE };
  },
  'a key of another person': async () => {
    const { id } = (await world.client(scene.server, [])).secret;
    return { path: `/secrets/${id}`, need: ['canAdmin'], why: ACTS_AS_ANOTHER };
  },
  "an admin's webhook": async () => {
    const { id } = await scene.webhook();
    return { path: `/webhooks/${id}`, need: ['canAdmin'], why: LACKS_ADMIN };
  },
  "an admin's incoming webhook": async () => {
    const { id: channelId } = await scene.channel();
    const { id } = await scene.webhook({ direction: 'in', url: undefined, channelId });
    return { path: `/webhooks/${id}`, need: ['canAdmin'], why: LACKS_ADMIN };
  },
  'a webhook that sees more channels': async () => {
    const maker = await world.clientWithRole(scene.server, await insider());
    const { id } = await scene.make('/webhooks', { url: 'https://example.com/palaver' }, maker);
    return { path: `/webhooks/${id}`, need: ['canAdmin'], why: SEES_MORE };
  },
};

for (const [what, make] of Object.entries(beyond)) {
  test(`a holder of canEditApp cannot remove ${what}; an admin can`, async () => {
    const { path, need, why } = await make();
    const refused = await keeper.delete(path);
    assertRefused(refused, 'FORBIDDEN', what);
    assert.deepEqual(refused.body.error.details.need, need);
    assert.match(refused.body.error.message, why);
    dataOf(await scene.admin.delete(path));
  });
}

test('a holder of canEditApp cannot replay an admin’s webhook', async () => {
  const { id } = await scene.webhook();
  const after = await scene.cursor();
  assertRefused(await keeper.post(`/webhooks/${id}/replay`, { after }), 'FORBIDDEN');
  dataOf(await scene.admin.post(`/webhooks/${id}/replay`, { after }));
});

describe('a holder of canEditApp can remove', () => {
  const within: Record<string, () => Promise<string>> = {
    'a key of the default role': async () => `/secrets/${(await scene.secret()).id}`,
    'a key without flags': async () =>
      `/secrets/${(await scene.secret({ roleId: (await scene.role()).id })).id}`,
    'its own key': async () => {
      const { id: roleId } = await scene.role();
      const fields = { kind: 'apiKey', name: 'Mine', roleId, userId: keeper.secret.userId };
      return `/secrets/${(await scene.make('/secrets', fields, keeper)).id}`;
    },
    "an app's secret": async () => {
      const { id: appId } = await scene.app();
      return `/secrets/${(await scene.secret({ kind: 'appSecret', appId, value: 'a value' })).id}`;
    },
    'its own webhook': async () => {
      const made = await scene.make('/webhooks', { url: 'https://example.com/palaver' }, keeper);
      return `/webhooks/${made.id}`;
    },
  };
  for (const [what, make] of Object.entries(within)) {
    test(what, async () => void dataOf(await keeper.delete(await make())));
  }
});

test("the server's creator can remove every key, even with a key without flags", async () => {
  const creator = await world.client(scene.server, [], scene.owner);
  const { id } = (await world.client(scene.server, ['canAdmin'])).secret;
  dataOf(await creator.delete(`/secrets/${id}`));
});
