import type { RowOf } from '../../db/schema.ts';
import { find } from '../../db/statements.ts';
import { ApiError } from '../../errors.ts';
import { Type } from '../../lib/schema.ts';
import { type ActCall, act } from '../../operations/act.ts';
import type { WriteCall } from '../../operations/call.ts';
import { body, flag, name, optional, record, reference, text, time } from '../../operations/fields.ts';
import { read } from '../../operations/read.ts';
import { MAX_USERNAME_CHARACTERS, requireOwnUsername } from '../../resources/user.ts';
import { putIdentity } from '../account.ts';
import { countAttempt } from '../attempts.ts';
import { codeProblem } from '../codes.ts';
import { signIn } from '../history/signIn.ts';
import type { Claimed } from '../openid/provider.ts';
import { person, personOf } from '../personRecord.ts';
import { code } from '../secondFactor.ts';
import { makePerson, ticketOf } from '../signUp.ts';
import { begin, claimedBy, endRequest, keepClaimed, providerOf, requirePath, returnedOf } from './request.ts';
import { suggestedName, suggestedUsername } from './suggestion.ts';

const MAX_PATH_CHARACTERS = 1000;
/** A common size limit for request lines. No provider's code is that long. */
const MAX_QUERY_CHARACTERS = 8192;

const provider = Type.Object(
  {
    id: text({ max: 32, examples: ['example'] }),
    name: text({ max: 100, description: 'Display name, for the sign-in button', examples: ['Example'] }),
  },
  { $id: 'Provider', title: 'Provider', additionalProperties: false },
);

/** A sign-in that has been started, with the provider's URL for the browser to open. */
export const authenticationRequest = record('AuthenticationRequest', {
  url: text({
    max: MAX_QUERY_CHARACTERS,
    description: 'Send the browser to this URL. It returns to the page `/sign-in/<provider id>`',
    examples: ['https://id.example.com/authorize?client_id=…'],
  }),
  expiresAt: time('When the sign-in expires if the browser has not returned'),
});

/** The path of the page to return to. */
export const returnedTo = text({
  max: MAX_PATH_CHARACTERS,
  description: 'The path passed when the sign-in was started',
  examples: ['/'],
});

const returned = record('SignedIn', { ...person.properties, returnTo: returnedTo });

export const returnTo = text({
  min: 1,
  max: MAX_PATH_CHARACTERS,
  description: 'The path to show afterwards; `/` by default',
  examples: ['/'],
});

export const query = text({
  min: 1,
  max: MAX_QUERY_CHARACTERS,
  description: 'The query string of the page that the provider returned to, unchanged: `location.search`',
  examples: ['?code=…&state=in.…'],
});

export const providerSignInOperations = [
  read({
    operation: 'personProviders',
    people: true,
    open: true,
    path: '/providers',
    tag: 'session',
    summary: 'List the sign-in providers',
    description: 'Returns the providers in the order of the setting `providers`.',
    visible: 'anyone',
    answer: provider,
    list: 'many',
    target: () => ({ serverId: null, open: true }),
    async run({ services: { providers } }) {
      return { records: providers.all.map(({ settings: { id, name } }) => ({ id, name })), next: null };
    },
  }),

  act({
    operation: 'personProviderStart',
    people: true,
    open: true,
    path: '/providers/:id/start',
    resource: 'session',
    verb: 'insert',
    onFullDisk: true,
    summary: 'Start a sign-in with a provider',
    description:
      'Sets a cookie for ten minutes: the sign-in can only be completed in this browser. A sign-in counts as a proof of identity only if the provider says that it has just authenticated the person.',
    body: body({
      returnTo: optional(returnTo),
      prove: optional(flag('Ask the provider to authenticate the person again, to confirm their identity')),
    }),
    answer: authenticationRequest,
    check({ body }) {
      if (body.returnTo !== undefined) requirePath('returnTo', body.returnTo);
    },
    run: (call, { params, body }) =>
      begin(call, providerOf(call, params.id), {
        returnTo: body.returnTo ?? '/',
        userId: null,
        sessionId: null,
        isProof: body.prove,
      }),
  }),

  act({
    operation: 'personProviderCallback',
    people: true,
    open: true,
    path: '/providers/:id/callback',
    resource: 'session',
    verb: 'insert',
    onFullDisk: true,
    summary: 'Complete a sign-in with a provider',
    description:
      'Takes the query string of the page to which the provider returned. Sets the cookie of a new session. If something else is required, it returns UNAUTHORIZED with `details.need`: `code`, or `username` for a new user. Send the missing value to `POST /providers/finish`.',
    body: body({ query }),
    answer: returned,
    async run(call, { params, body }) {
      const provider = providerOf(call, params.id);
      const { row, claimed } = await claimedBy(call, provider, body.query, ({ userId }) => userId === null);
      return enter(call, row, claimed, {}, true);
    },
  }),

  act({
    operation: 'personProviderFinish',
    people: true,
    conflict: true,
    open: true,
    path: '/providers/finish',
    resource: 'session',
    verb: 'insert',
    onFullDisk: true,
    summary: 'Finish a sign-in with a provider',
    description:
      'Send a two-factor `code`, or, for a new user, the `username` of the account to create. The setting `signUp` determines who can sign up.',
    body: body({
      code: optional(code),
      username: optional(
        text({
          min: 1,
          max: MAX_USERNAME_CHARACTERS,
          description: 'Unique; only the characters a–z 0–9 _ . -',
          examples: ['ada'],
        }),
      ),
      name: optional(name("Display name; the provider's by default", 'Ada Lovelace')),
      inviteId: optional(reference('The id or code of an invite to a server')),
      token: optional(reference('The part after # in a link from the operator')),
    }),
    answer: returned,
    check({ body: { username } }) {
      if (username !== undefined) requireOwnUsername(username);
    },
    async run(call, { body }) {
      const { row, claimed } = await returnedOf(call);
      // The provider may have been removed from the settings in the meantime.
      providerOf(call, row.provider);
      return enter(call, row, claimed, body, false);
    },
  }),
];

interface Given {
  code?: string;
  username?: string;
  name?: string;
  inviteId?: string;
  token?: string;
}

/**
 * Signs a person in, or up. If the person still has to enter a code or choose a username, throws UNAUTHORIZED
 * with `need`, and with `isFirst` stores the identity for the next request.
 */
async function enter(
  call: ActCall,
  row: RowOf<'authenticationRequest'>,
  claimed: Claimed,
  given: Given,
  isFirst: boolean,
) {
  const { issuer, account } = claimed;
  const known = await call.db.first(find('identity', { provider: issuer, account }));
  if (isFirst && (!known || asksCode(call, row))) await keepClaimed(call, row, claimed);
  if (!known && given.username === undefined) {
    const username = await suggestedUsername(call.db, claimed);
    throw needed('choose a username', { need: 'username', username, name: suggestedName(claimed, username) });
  }
  if (known && given.code !== undefined) await countAttempt(call, 'user', known.userId);
  const { signUp } = await call.services.settings.current();
  const { invite } = known ? {} : await ticketOf({ db: call.db, now: call.now, signUp }, given);
  const enterIn = async (work: WriteCall) => {
    // Queries again, because another request may have created the account in the meantime.
    const identity = await work.db.first(find('identity', { provider: issuer, account }));
    let userId = identity?.userId;
    const isNew = userId === undefined;
    if (userId !== undefined && asksCode(call, row)) {
      const problem = await codeProblem(work, userId, given.code);
      if (problem) return problem;
    }
    await endRequest(work.db, row);
    // The session counts as proven, because a new account has nothing to protect yet.
    let provenAt = work.now;
    if (userId !== undefined) provenAt = Math.min(claimed.authenticatedAt, work.now);
    else {
      if (given.username === undefined) throw needed('choose a username', { need: 'username' });
      const { username } = given;
      const ticket = await ticketOf({ db: work.db, now: work.now, signUp }, given);
      const fields = { username, name: given.name ?? suggestedName(claimed, username) };
      userId = await makePerson(work, fields, ticket, (userId, email) =>
        putIdentity(work, { userId, issuer, account, email }),
      );
    }
    const token = await signIn(work, { userId, method: 'provider', isNew, provenAt });
    return { userId, provenAt, token };
  };
  const result = await (known
    ? call.writeOnAccount(known.userId, enterIn)
    : call.write(enterIn, invite?.serverId));
  if (result instanceof ApiError) throw result;
  const { userId, token, provenAt } = result;
  const data = { ...(await personOf(call.db, userId, provenAt)), returnTo: row.returnTo };
  return { data, token, binding: null };
}

/** Whether our two-factor authentication is required in addition to the provider's own. */
const asksCode = ({ services }: ActCall, { provider }: RowOf<'authenticationRequest'>): boolean =>
  services.providers.get(provider)?.settings.asksCode ?? true;

const needed = (message: string, details: object): ApiError =>
  new ApiError('UNAUTHORIZED', message, details, { 'www-authenticate': 'Bearer' });
