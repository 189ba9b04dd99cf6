import type { Scene } from '../support/scene.ts';
import type { Listing } from './row.ts';

/** A way to list a channel's messages. If it has filters, the channel also contains messages that they exclude. */
export const listing = (
  order: Listing['order'],
  as?: string,
  query: (scene: Scene) => string = () => '',
): Listing => ({
  order,
  ...(as && { as }),
  async open(scene) {
    const { id: channelId } = await scene.channel();
    const filter = query(scene);
    const other = await scene.world.client(scene.server, ['canEditData']);
    const thread = await scene.make('/threads', { channelId }, other);
    return {
      path: `/channels/${channelId}/messages${filter}`,
      async add() {
        if (/creatorId|isThreadReply|q=/.test(filter))
          await scene.make('/messages', { threadId: thread.id, content: 'Something else' }, other);
        return (await scene.message({ channelId, content: 'A word of hope' })).id;
      },
      take: (id) => scene.remove(`/messages/${id}`),
    };
  },
});
