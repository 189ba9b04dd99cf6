import { createKey } from '../server/src/cli/records/key.ts';
import { createServer } from '../server/src/cli/records/server.ts';
import { createUser } from '../server/src/cli/records/user.ts';
import { type Data, type DataConfig, openData } from '../server/src/node/data.ts';
import type { Work } from '../server/src/operations/work.ts';
import { change } from '../server/src/resources/change.ts';
import { addChannel } from '../server/src/resources/channel/change.ts';

/** A server with a small channel, a large channel and a busy channel that receives messages, and a key. */
export interface Made {
  user: { id: string };
  key: string;
  small: Channel;
  large: Channel;
  busy: Channel;
}

interface Channel {
  id: string;
  serverId: string;
}

/** Creates the server with its channels, and a user with this name and a key. */
export function makeServer(data: Data, username = 'bench'): Promise<Made> {
  return change(data, async (work) => {
    const user = await createUser(work, { username });
    const server = await createServer(work, { name: 'Bench', owner: user.id });
    const { key } = await createKey(work, {
      server: server.id,
      user: user.id,
      flags: 'canEditData,canViewData',
    });
    const channel = (name: string) =>
      addChannel(work, { serverId: server.id, name, creatorId: user.id, roleIds: [] });
    return {
      user,
      key,
      small: await channel('small'),
      large: await channel('large'),
      busy: await channel('busy'),
    };
  });
}

/** Calls `make` `amount` times, in transactions of `size` calls. Returns the results. */
export async function inBatches<T>(
  data: Data,
  { amount, size }: Record<'amount' | 'size', number>,
  make: (work: Work, number: number) => Promise<T>,
): Promise<T[]> {
  const made: T[] = [];
  while (made.length < amount) {
    const first = made.length;
    const batch = await change(data, async (work) => {
      const some: T[] = [];
      while (some.length < Math.min(size, amount - first)) some.push(await make(work, first + some.length));
      return some;
    });
    made.push(...batch);
  }
  return made;
}

/** Creates servers in a database, each with its own user and key. */
export async function makeServers(place: DataConfig, amount: number): Promise<Made[]> {
  const data = await openData(place);
  const made: Made[] = [];
  try {
    while (made.length < amount) made.push(await makeServer(data, `bench${made.length}`));
  } finally {
    await data.db.close();
  }
  return made;
}
