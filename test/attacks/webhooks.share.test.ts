// @run sqlite: tests what a node claims, which does not depend on the engine
import type { ServerResponse } from 'node:http';
import { after, before, test } from 'node:test';
import { Post } from '../support/post.ts';
import { until } from '../support/process.ts';
import type { Client, Json } from '../support/world.ts';

const MOST = 8;

let post: Post;
const unanswered: ServerResponse[] = [];
before(async () => {
  post = await Post.open({ maxClaimed: MOST });
});
after(async () => {
  for (const response of unanswered) response.end();
  await post.close();
});

/** Servers of one owner, each with a channel and webhooks at these paths. */
async function serversOf(
  owner: Json,
  paths: readonly (readonly string[])[],
): Promise<(() => Promise<unknown>)[]> {
  const { world, receiver } = post;
  return Promise.all(
    paths.map(async (ofServer) => {
      const server = await world.server(owner);
      const admin: Client = await world.client(server, ['canAdmin'], owner);
      const { id: channelId } = (await admin.post('/channels', { name: 'general' })).data;
      for (const path of ofServer)
        await admin.post('/webhooks', { url: receiver.url + path, types: ['message.created'] });
      return () => admin.post('/messages', { channelId, content: 'Hello' });
    }),
  );
}

test("one person's unresponsive receivers in many servers leave capacity for others' webhooks", async () => {
  const { world, receiver } = post;
  receiver.otherwise = (response, { path }) => {
    if (path.startsWith('/slow/')) unanswered.push(response);
    else response.end();
  };
  const paths = Array.from({ length: MOST }, (_, server) => [`/slow/${server}/1`, `/slow/${server}/2`]);
  const says = await serversOf(await world.user(), paths);
  const [sayOther] = await serversOf(await world.user(), [['/quick']]);
  for (const say of says) await say();
  // Each server has a request in flight until the share is used up.
  await until(() => unanswered.length >= (MOST * 3) / 4);
  await sayOther?.();
  await until(() => receiver.deliveries.some(({ path }) => path === '/quick'), 12_000);
});
