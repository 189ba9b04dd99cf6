import { addChannel, change, createKey, createServer, createUser, openData } from './sources.ts';

/** A server with one channel and its admin's key. */
export interface OneServer {
  serverId: string;
  channelId: string;
  key: string;
}

/** Creates servers in a database that nodes may serve. */
export async function makeServers(database: string, count: number): Promise<OneServer[]> {
  const data = await openData({ data: '', database });
  try {
    const made: OneServer[] = [];
    const owner = await change(data, (work) => createUser(work, { username: 'owner-of-many' }));
    for (let number = 0; number < count; number++) {
      const name = `server ${number}`;
      const { id: serverId } = await change(data, (work) => createServer(work, { name, owner: owner.id }));
      const { key } = await change(data, (work) =>
        createKey(work, { server: serverId, user: owner.id, flags: 'canAdmin' }),
      );
      const { id: channelId } = await change(data, (work) =>
        addChannel(work, { serverId, name: 'general', creatorId: owner.id, roleIds: [] }),
      );
      made.push({ serverId, channelId, key });
    }
    return made;
  } finally {
    await data.db.close();
  }
}
