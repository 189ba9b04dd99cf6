import { conditions, requireCondition } from '../../access/conditions.ts';
import type { RowOf } from '../../db/schema.ts';
import { find, q, remove } from '../../db/statements.ts';
import { PASSWORD } from '../../db/tables/identity.ts';
import { invalid, notFound } from '../../errors.ts';
import { act } from '../../operations/act.ts';
import { sessionOf, type WriteCall } from '../../operations/call.ts';
import { body, nullable, oneOf, optional, record, reference, text } from '../../operations/fields.ts';
import { read } from '../../operations/read.ts';
import { load, ownTarget } from '../../resources/common.ts';
import { listById } from '../../resources/lists.ts';
import { putIdentity } from '../account.ts';
import { notify } from '../notices.ts';
import type { Providers } from '../openid/providers.ts';
import { hasWayIn } from '../ways.ts';
import { begin, claimedBy, endRequest, providerOf, requirePath } from './request.ts';
import { authenticationRequest, query, returnedTo, returnTo } from './signIn.ts';

/** Maximum ways to sign in per person: linked provider accounts and the password. */
const MAX_IDENTITIES = 20;

const fields = {
  kind: oneOf(['password', 'provider']),
  provider: nullable(
    text({
      max: 32,
      description: "The provider's id; null for a password, and for a provider that is no longer configured",
      examples: ['example'],
    }),
  ),
  name: text({ max: 2000, description: "The provider's name", examples: ['Example'] }),
};

const identity = record('Identity', fields);
const connected = record('ConnectedIdentity', { ...fields, returnTo: returnedTo });

function toIdentity(providers: Providers, { provider, ...row }: RowOf<'identity'>) {
  const { id, createdAt, updatedAt } = row;
  const times = { id, createdAt, updatedAt };
  if (provider === PASSWORD) return { ...times, kind: 'password' as const, provider: null, name: 'Password' };
  const found = providers.of(provider)?.settings;
  return { ...times, kind: 'provider' as const, provider: found?.id ?? null, name: found?.name ?? provider };
}

export const identityOperations = [
  read({
    operation: 'personIdentities',
    people: true,
    path: '/identities',
    tag: 'person',
    summary: 'List your password and linked accounts',
    description: 'Returns your linked provider accounts, and your password if you have one, newest first.',
    visible: 'self',
    answer: identity,
    list: 'many',
    target: ownTarget,
    async run({ db, principal, services: { providers } }, input) {
      const rows = q.selectFrom('identity').selectAll().where('userId', '=', principal.userId);
      return listById(db, rows, input, (row) => toIdentity(providers, row), 'desc');
    },
  }),

  act({
    operation: 'personProviderConnect',
    people: true,
    method: 'POST',
    path: '/providers/:id/connect',
    resource: 'person',
    verb: 'update',
    summary: 'Start linking a provider account',
    description:
      "Send the browser to the provider, as for a sign-in. When it returns, send the page's query to `POST /identities`.",
    body: body({ returnTo: optional(returnTo) }),
    answer: authenticationRequest,
    proven: true,
    check({ body }) {
      if (body.returnTo !== undefined) requirePath('returnTo', body.returnTo);
    },
    async run(call, { params, body }) {
      // The provider redirects to a browser, which does not have the app's session.
      if (call.isBearer)
        throw invalid('wrong_kind', '', 'is for browsers only. An app opens a page of this server instead');
      return begin(call, providerOf(call, params.id), {
        returnTo: body.returnTo ?? '/',
        userId: call.principal.userId,
        sessionId: sessionOf(call)?.id as string,
      });
    },
  }),

  act({
    operation: 'personIdentityInsert',
    people: true,
    conflict: true,
    method: 'POST',
    path: '/identities',
    resource: 'person',
    verb: 'update',
    summary: 'Link a provider account',
    description:
      'Call this in the session that started linking. You can then sign in with the account. Accounts are never linked by email address.',
    body: body({ provider: reference("The provider's id"), query }),
    answer: connected,
    async run(call, { body }) {
      const { services, principal } = call;
      const sessionId = sessionOf(call)?.id;
      const provider = providerOf(call, body.provider);
      const isOurs = (row: RowOf<'authenticationRequest'>) =>
        row.userId === principal.userId && row.sessionId === sessionId;
      const { row, claimed } = await claimedBy(call, provider, body.query, isOurs);
      const { issuer, account } = claimed;
      const { userId } = principal;
      const made = await call.writeOnAccount(userId, async (work) => {
        await endRequest(work.db, row);
        if ((await work.db.all(find('identity', { userId }))).length >= MAX_IDENTITIES)
          throw invalid(
            'quota',
            '',
            `you have reached the limit of ${MAX_IDENTITIES} ways to sign in (linked accounts and the password). Unlink one first`,
          );
        const made = await putIdentity(work, { userId, issuer, account, email: null });
        await notify(work, userId, 'identityAdded');
        return made;
      });
      return { data: { ...toIdentity(services.providers, made), returnTo: row.returnTo }, binding: null };
    },
  }),

  act({
    operation: 'personIdentityDelete',
    people: true,
    method: 'DELETE',
    path: '/identities/:id',
    resource: 'person',
    verb: 'update',
    summary: 'Unlink a provider account',
    description: 'The last way to sign in cannot be removed. To remove a password, use `DELETE /password`.',
    answer: identity,
    proven: true,
    async target({ db, principal }, { params }) {
      const { userId } = await load(db, 'identity', params.id);
      // The error does not reveal that another person's identity exists.
      if (userId !== principal.userId) throw notFound('identity');
      return { serverId: null, ownerId: userId };
    },
    async run(call, { params }) {
      const { services, principal } = call;
      const { userId } = principal;
      const disconnect = async (work: WriteCall) => {
        const { db } = work;
        const found = await load(db, 'identity', params.id);
        if (found.provider === PASSWORD)
          throw invalid('wrong_kind', 'id', 'is your password. Remove it with DELETE /api/people/password');
        if ((await db.count(remove('identity', { id: found.id }))) !== 1) throw notFound('identity');
        const isLeft = await hasWayIn(db, call, userId);
        requireCondition(principal, conditions.wayIn, { hasWayIn: isLeft });
        await notify(work, userId, 'identityRemoved');
        return found;
      };
      const removed = await call.writeOnAccount(userId, disconnect);
      return { data: toIdentity(services.providers, removed) };
    },
  }),
];
