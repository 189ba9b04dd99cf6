import { betterAuth } from 'better-auth';
import { isAPIError } from 'better-auth/api';
import { makeSignature } from 'better-auth/crypto';
import { username } from 'better-auth/plugins/username';
import { unauthenticated } from '../../access/authenticator.ts';
import type { ActCall } from '../../operations/act.ts';
import { API_PREFIX } from '../../operations/operation.ts';
import type { Services } from '../../operations/services.ts';
import { isUsername, MAX_USERNAME_CHARACTERS } from '../user.ts';
import { WRONG } from './account.ts';
import { adapterFor } from './adapter.ts';
import { compared, hashPassword, MAX_PASSWORD_CHARACTERS, verifyPassword } from './password.ts';

// This file loads better-auth: import it when it is needed (`await import('./auth.ts')`).

/** Nothing is served at it: better-auth is called, never reached. */
const BASE_URL = 'http://palaver.invalid';

const make = (services: Services) =>
  betterAuth({
    baseURL: BASE_URL,
    basePath: `${API_PREFIX}/none`,
    // Given, so that no variable of the environment can replace it.
    secrets: [{ version: 1, value: services.peopleKey }],
    database: adapterFor(services),
    telemetry: { enabled: false },
    logger: { disabled: true },
    // Palaver's own limits count, over all nodes.
    rateLimit: { enabled: false },
    emailAndPassword: {
      enabled: true,
      disableSignUp: true,
      maxPasswordLength: MAX_PASSWORD_CHARACTERS,
      password: {
        hash: hashPassword,
        verify: ({ hash, password }) => verifyPassword(password, hash),
      },
    },
    account: { accountLinking: { enabled: false } },
    session: { disableSessionRefresh: true },
    advanced: {
      database: { generateId: () => services.deps.newId() },
      useSecureCookies: false,
    },
    plugins: [
      username({
        minUsernameLength: 1,
        maxUsernameLength: MAX_USERNAME_CHARACTERS,
        usernameValidator: isUsername,
      }),
    ],
  });

const made = new WeakMap<Services, ReturnType<typeof make>>();

function authFor(services: Services): ReturnType<typeof make> {
  let auth = made.get(services);
  if (!auth) {
    auth = make(services);
    made.set(services, auth);
  }
  return auth;
}

/** The headers with which better-auth knows a session: its own cookie, which no browser ever sees. */
async function headersOf(services: Services, token: string): Promise<Headers> {
  const { authCookies, secret } = await authFor(services).$context;
  const signed = encodeURIComponent(`${token}.${await makeSignature(token, secret)}`);
  return new Headers({ cookie: `${authCookies.sessionToken.name}=${signed}` });
}

/**
 * The id of the user with this name, or e-mail address, and password, and the hash with which it was compared. Throws UNAUTHORIZED, in the same time for a wrong password
 * and for an unknown name.
 */
export async function userWith(
  { services, address }: Pick<ActCall, 'services' | 'address'>,
  { name: given, password }: { name: string; password: string },
): Promise<{ userId: string; hash: string }> {
  const { api } = authFor(services);
  const name = given.toLowerCase();
  const { result, hash } = await compared(address, password, () =>
    name.includes('@')
      ? api.signInEmail({ body: { email: name, password } })
      : api.signInUsername({ body: { username: name, password } }),
  ).catch(refusing(WRONG));
  return { userId: result.user.id, hash };
}

/** Throws UNAUTHORIZED unless the password is that of the session's person. */
export async function requirePassword(
  { services, address }: Pick<ActCall, 'services' | 'address'>,
  token: string,
  password: string,
): Promise<void> {
  const headers = await headersOf(services, token);
  await compared(address, password, () =>
    authFor(services).api.verifyPassword({ body: { password }, headers }),
  ).catch(refusing('the password is wrong'));
}

/** Its refusals are about the input alone. Anything else, such as a database out of reach, stays an error of its own. */
const refusing =
  (message: string) =>
  (error: unknown): never => {
    if (isAPIError(error) && Number(error.statusCode) < 500) throw unauthenticated('UNAUTHORIZED', message);
    throw error;
  };
