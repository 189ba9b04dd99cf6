import type { World } from './world.ts';

/** The value of a metric, such as `palaver_grants`, as `/metrics` shows it. It is up to a second old. */
export async function metricOf(world: Pick<World, 'request' | 'url'>, name: string): Promise<number> {
  const { body } = await world.request('GET', `${world.url}/metrics`);
  const line = (body as string).split('\n').find((one) => one.startsWith(`${name} `));
  return Number(line?.slice(name.length));
}
