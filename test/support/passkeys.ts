import { Browser } from './account.ts';
import { Authenticator, type Deviation } from './authenticator.ts';
import { dataOf } from './expect.ts';
import type { Answer, Json, World } from './world.ts';

/** The `address` setting for worlds with passkeys. Session cookies need no TLS at this address. */
export const ADDRESS = 'http://localhost:8080';

/** A person with a passkey, and the browser in which they are signed in. */
export interface Holder {
  user: Json;
  browser: Browser;
  authenticator: Authenticator;
  passkey: Json;
}

/** Registers a passkey in a browser. */
export async function register(
  browser: Browser,
  authenticator: Authenticator,
  { name, ...deviation }: Deviation & { name?: string } = {},
): Promise<Answer> {
  const options = dataOf(await browser.post('/passkeys/options'));
  const passkey = authenticator.create(options, deviation);
  return browser.post('/passkeys', { passkey, ...(name !== undefined && { name }) });
}

/** A new person with a passkey and without a password. */
export async function holderIn(world: World, authenticator = new Authenticator(ADDRESS)): Promise<Holder> {
  const user = await world.user();
  const browser = await Browser.of(world, user);
  const passkey = dataOf(await register(browser, authenticator));
  return { user, browser, authenticator, passkey };
}

/** Signs in with a passkey, in a new browser unless one is given. */
export async function signIn(
  world: World,
  authenticator: Authenticator,
  deviation: Deviation = {},
  browser = new Browser(world),
): Promise<Answer> {
  const options = dataOf(await browser.post('/sign-in/options'));
  return browser.post('/sign-in/passkey', { passkey: authenticator.get(options, deviation) });
}

/** Confirms the identity of a session's user with a passkey. */
export async function prove(
  browser: Browser,
  authenticator: Authenticator,
  deviation: Deviation = {},
): Promise<Answer> {
  const options = dataOf(await browser.post('/proof/options'));
  return browser.post('/proof', { passkey: authenticator.get(options, deviation) });
}
