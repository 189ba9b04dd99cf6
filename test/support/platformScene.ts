import { Browser } from './account.ts';
import { dataOf } from './expect.ts';
import { type Json, TestClock, World } from './world.ts';

export type PlatformScene = Awaited<ReturnType<typeof openPlatformScene>>;

/** A world, and a platform admin in a browser. */
export async function openPlatformScene() {
  const clock = new TestClock();
  const world = await World.open({ clock });
  const root = await world.user({ platformAdmin: true });
  const browser = await Browser.of(world, root);
  return {
    clock,
    world,
    root,
    browser,
    /** Signs the platform admin in again in the same browser, which confirms their identity. */
    async prove(): Promise<void> {
      browser.cookie = (await Browser.of(world, root)).cookie;
    },
    /** The latest entry in the audit log. */
    audited: async (): Promise<Json> => dataOf(await browser.get('/platform/audit?limit=1'))[0],
  };
}
