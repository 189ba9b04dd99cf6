import type { DataConfig } from '../server/src/node/data.ts';
import { addMembers, addReplies, giveAll } from '../test/support/crowds.ts';
import { fillLog } from '../test/support/log.ts';
import { fillChannel } from '../test/support/messages.ts';
import { Scene } from '../test/support/scene.ts';
import { type Client, World } from '../test/support/world.ts';
import { quick } from './report.ts';

/** The number of members of the other tenant: enough to keep each below the rate limits. */
const NEIGHBOURS = 60;
/**
 * The number of people with keys in the hostile server. Each sends some of the requests, within the default limits.
 */
const PEOPLE = 40;
/** The number of the hostile tenant's additional servers: enough for 250 webhooks, at 20 per server. */
const FURTHER_SERVERS = 13;

const MESSAGES = quick ? 10_000 : 50_000;
const EVENTS = quick ? 100_000 : 500_000;
const DEPENDENTS = quick ? 2_000 : 10_000;
/** The number of replies, of 32 KB each. */
const LARGE_REPLIES = 200;
/** The size of the app's `meta`, just below the quota. */
const META_BYTES = 60_000;

/** A channel, and keys of members who may send to it. */
interface Place {
  channelId: string;
  keys: string[];
}

/** Two tenants on one node, and the ids that the attacks need. */
export interface Tenants {
  neighbour: Place;
  hostile: Place & {
    /** The hostile tenant's other servers. Each has a different admin, whose key is `key`. */
    servers: { channelId: string; key: string }[];
    largeThreadId: string;
    /** An app with a large `meta`. */
    appId: string;
    /** A channel, a role and a thread, each with many dependents. */
    doomed: { channelId: string; roleId: string; threadId: string };
  };
}

const repeat = <T>(amount: number, make: () => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: amount }, make));

const keysOf = (clients: readonly Client[]) => clients.map(({ key }) => key);

/** Creates both tenants in an empty database, on a node without limits. */
export async function makeTenants(place: DataConfig): Promise<Tenants> {
  const world = await World.open({ place });
  try {
    const other = await Scene.open(world);
    const channel = await other.channel();
    await fillChannel(world, channel, other.owner.id, MESSAGES);
    const members = await repeat(NEIGHBOURS, () =>
      world.client(other.server, ['canEditData', 'canViewData']),
    );
    return { neighbour: { channelId: channel.id, keys: keysOf(members) }, hostile: await makeHostile(world) };
  } finally {
    await world.close();
  }
}

async function makeHostile(world: World): Promise<Tenants['hostile']> {
  const scene = await Scene.open(world);
  const { server, owner } = scene;
  const people = await repeat(PEOPLE, () => world.client(server, ['canAdmin']));
  const servers = await repeat(FURTHER_SERVERS, async () => {
    const further = await Scene.open(world);
    return { channelId: (await further.channel()).id as string, key: further.admin.key };
  });

  const channel = await scene.channel();
  const doomed = await scene.channel();
  for (const each of [channel, doomed]) await fillChannel(world, each, owner.id, MESSAGES);
  const inChannel = { channelId: channel.id };
  const large = await scene.thread(inChannel);
  await addReplies(world, large, LARGE_REPLIES, () => '🦈'.repeat(8_000));
  const thread = await scene.thread(inChannel);
  await addReplies(world, thread, DEPENDENTS);
  const role = await scene.role();
  await giveAll(world, role, await addMembers(world, server.id, DEPENDENTS));
  const app = await scene.app({ meta: ['x'.repeat(META_BYTES)] });
  // Runs last, because it writes to the log directly, and this node may have cached the end of the log.
  await fillLog(world, server.id, EVENTS, 1_000_000_000);
  return {
    channelId: channel.id,
    keys: keysOf(people),
    servers,
    largeThreadId: large.id,
    appId: app.id,
    doomed: { channelId: doomed.id, roleId: role.id, threadId: thread.id },
  };
}
