import assert from 'node:assert/strict';
import { Browser } from './account.ts';
import { dataOf } from './expect.ts';
import { HostileProvider } from './hostileProvider.ts';
import { RealProvider, settingsOf } from './provider.ts';
import { type Answer, type Json, TestClock, World } from './world.ts';

/** The address of the server, to which providers redirect. */
export const ADDRESS = 'https://chat.example.com';

export const needOf = ({ body }: Answer): string => body.error.details.need;

export type ProviderScene = Awaited<ReturnType<typeof openProviderScene>>;

/**
 * A server with three providers: `real`; `other`, which the test controls; and `strict`, which is like `other` but
 * requires two-factor codes.
 */
export async function openProviderScene() {
  const clock = new TestClock();
  const real = await RealProvider.open([`${ADDRESS}/sign-in/real`]);
  const [hostile, strict] = [await HostileProvider.open(), await HostileProvider.open()];
  const world = await World.open({
    clock,
    address: ADDRESS,
    signUp: 'open',
    providers: [
      settingsOf('real', real.issuer),
      settingsOf('other', hostile.issuer),
      settingsOf('strict', strict.issuer, { asksCode: true }),
    ],
  });

  /** Starts a sign-in in a browser, and returns the URL that it redirects to. */
  const start = async (browser: Browser, id = 'other', body: object = {}): Promise<string> =>
    dataOf(await browser.post(`/providers/${id}/start`, body)).url;
  const callback = (browser: Browser, query: string, id = 'other'): Promise<Answer> =>
    browser.post(`/providers/${id}/callback`, { query });
  const finish = (browser: Browser, body: object): Promise<Answer> => browser.post('/providers/finish', body);
  /** Signs in at the test's provider, and sends the callback to Palaver. */
  const comeBack = async (browser: Browser, sub: string): Promise<Answer> =>
    callback(browser, hostile.query(await start(browser), sub));

  return {
    clock,
    real,
    hostile,
    strict,
    world,
    start,
    callback,
    finish,
    comeBack,
    /** A new user who has signed up with the test's provider. */
    async signedUp(sub: string): Promise<{ user: Json; browser: Browser }> {
      const browser = new Browser(world);
      assert.equal(needOf(await comeBack(browser, sub)), 'username');
      const user = dataOf(await finish(browser, { username: world.unique('person') }));
      return { user, browser };
    },
    async close(): Promise<void> {
      await world.close();
      await Promise.all([real.close(), hostile.close(), strict.close()]);
    },
  };
}
