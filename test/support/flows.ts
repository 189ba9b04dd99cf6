import { dataOf } from './expect.ts';
import { until } from './process.ts';
import type { Scene } from './scene.ts';
import type { Json } from './world.ts';

/** Creates a flow as the scene's admin. */
export const makeFlow = async (
  scene: Scene,
  trigger: Json,
  steps: readonly Json[],
  fields: object = {},
): Promise<Json> =>
  dataOf(await scene.admin.post('/flows', { name: scene.world.unique('flow'), trigger, steps, ...fields }));

/** A trigger for messages in a channel that start with a word. */
export const messages = (channelId: string, startsWith = 'ping') => ({
  on: 'event',
  type: 'message.created',
  where: {
    all: [
      { path: 'event.data.channelId', equals: channelId },
      { path: 'event.data.content', startsWith },
    ],
  },
});

/** The runs of a flow, oldest first. */
export const runsOf = async (scene: Scene, flowId: string): Promise<Json[]> =>
  dataOf(await scene.admin.get(`/flows/${flowId}/runs?limit=100`)).reverse();

/** A run with its steps. */
export const runOf = async (scene: Scene, runId: string): Promise<Json> =>
  dataOf(await scene.admin.get(`/flow-runs/${runId}`));

/** Waits until a flow has this many runs with a status. Returns them with their steps, oldest first. */
export async function runsWith(scene: Scene, flowId: string, status: string, count = 1): Promise<Json[]> {
  let found: Json[] = [];
  let failed: Json | undefined;
  await until(async () => {
    const runs = await runsOf(scene, flowId);
    found = runs.filter((run) => run.status === status);
    failed = status === 'failed' ? undefined : runs.find((run) => run.status === 'failed');
    return failed !== undefined || found.length >= count;
  });
  if (failed) throw new Error(`the run failed: ${(await runOf(scene, failed.id)).error}`);
  return Promise.all(found.map(({ id }) => runOf(scene, id)));
}

/** The contents of a channel's messages, oldest first. */
export const contentsOf = async (scene: Scene, channelId: string): Promise<string[]> =>
  dataOf(await scene.admin.get(`/channels/${channelId}/messages?order=asc&limit=100`)).map(
    ({ content }: Json) => content,
  );
