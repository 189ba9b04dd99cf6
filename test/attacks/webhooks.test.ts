import type { ServerResponse } from 'node:http';
import { after, afterEach, before, test } from 'node:test';
import { Post } from '../support/post.ts';
import { until } from '../support/process.ts';
import { Scene } from '../support/scene.ts';
import type { Json } from '../support/world.ts';

/**
 * Shorter than the 15 s after which an attempt times out. A delivery within this time did not wait for a slow
 * receiver.
 */
const PATIENCE_MS = 12_000;
const EVENTS = 5;

let post: Post;
/** The slow receivers' pending responses. */
let unanswered: ServerResponse[] = [];
before(async () => {
  post = await Post.open();
});
afterEach(() => {
  for (const response of unanswered) response.end();
  unanswered = [];
  post.receiver.deliveries.length = 0;
});
after(() => post.close());

/** Receivers at `/slow/…` never respond; others do immediately. */
function slowDown(): void {
  post.receiver.otherwise = (response, { path }) => {
    if (path.startsWith('/slow/')) unanswered.push(response);
    else response.end();
  };
}

const at = (path: string) => post.receiver.deliveries.filter((delivery) => delivery.path === path);

/** A server with webhooks that are triggered by its messages. */
async function community(paths: readonly string[]): Promise<{ say(content: string): Promise<Json> }> {
  const scene = await Scene.open(post.world);
  const { id: channelId } = await scene.channel();
  const types = ['message.created'];
  await Promise.all(paths.map((path) => scene.webhook({ url: post.receiver.url + path, types })));
  return { say: (content) => scene.message({ channelId, content }) };
}

const slowPaths = (count: number, name: string) =>
  Array.from({ length: count }, (_, index) => `/slow/${name}/${index}`);

/**
 * Asserts that events sent one after another each reach the receiver at `path` before a slow attempt could have
 * timed out.
 */
async function assertQuick(other: Awaited<ReturnType<typeof community>>, path: string): Promise<void> {
  for (let count = 1; count <= EVENTS; count++) {
    await other.say(`event ${count}`);
    await until(() => at(path).length === count, PATIENCE_MS, 5);
  }
}

test('250 unresponsive receivers only slow down their own server', async () => {
  slowDown();
  const slow = await community(slowPaths(250, 'many'));
  const other = await community(['/quick']);
  await slow.say('to all');
  await until(() => unanswered.length >= 1);
  await assertQuick(other, '/quick');
});

test('unresponsive receivers in 30 servers do not delay another server', async () => {
  slowDown();
  const servers = await Promise.all(
    Array.from({ length: 30 }, (_, index) => community(slowPaths(12, `server-${index}`))),
  );
  const other = await community(['/quick/too']);
  for (const server of servers) await server.say('to all');
  const isReached = (index: number) =>
    post.receiver.deliveries.some(({ path }) => path.startsWith(`/slow/server-${index}/`));
  await until(() => servers.every((_, index) => isReached(index)), PATIENCE_MS);
  await assertQuick(other, '/quick/too');
});

test('pings to unresponsive receivers do not delay a ping in another server', async () => {
  slowDown();
  const scenes = await Promise.all(Array.from({ length: 30 }, () => Scene.open(post.world)));
  for (const scene of scenes) {
    const { id } = await scene.webhook({ url: `${post.receiver.url}/slow/pinged` });
    await Promise.all(Array.from({ length: 10 }, () => scene.admin.post(`/webhooks/${id}/ping`, {})));
  }
  const other = await Scene.open(post.world);
  const { id } = await other.webhook({ url: `${post.receiver.url}/quick/ping`, types: ['message.created'] });
  await other.make(`/webhooks/${id}/ping`, {});
  await until(() => at('/quick/ping').length === 1, PATIENCE_MS);
});
