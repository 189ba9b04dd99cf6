import { sql } from 'kysely';
import { conditions, requireCondition } from '../../access/conditions.ts';
import { recordHistory } from '../../accounts/history/record.ts';
import { addLink } from '../../accounts/link.ts';
import type { Reader } from '../../db/contract.ts';
import { lockPlatform } from '../../db/platform.ts';
import type { RowOf } from '../../db/schema.ts';
import { find, q, remove } from '../../db/statements.ts';
import type { HistoryType } from '../../db/tables/history.ts';
import { invalid } from '../../errors.ts';
import { Type } from '../../lib/schema.ts';
import { requireProven, type WriteCall } from '../../operations/call.ts';
import { body, flag, oneOf, optional, reference, text } from '../../operations/fields.ts';
import { read } from '../../operations/read.ts';
import { write } from '../../operations/write.ts';
import { load } from '../common.ts';
import { recordAct } from '../recordAct.ts';
import { lift, suspend } from '../suspension.ts';
import { changeUser, isErased, otherPlatformAdmins } from '../user.ts';
import { platformAccount, platformUser, suspension, toPlatformUser, userLink } from './platformRecords.ts';
import { sortedPage } from './sorted.ts';

/** Maximum owned servers to count per person. */
const MAX_COUNTED = 1_000;

const target = async ({ db }: { db: Reader }, { params }: { params: { id: string } }) => ({
  serverId: null,
  user: await load(db, 'user', params.id),
});

/** Adds an entry to the history of a person's account. Agents have none. */
const recordByAdmin = async (call: WriteCall, user: RowOf<'user'>, type: HistoryType): Promise<void> => {
  if (user.type === 'person') await recordHistory(call, { userId: user.id, type, actor: 'admin' });
};

/** Throws FORBIDDEN unless another platform admin remains. Serializes changes to platform admins. */
async function requireOtherAdmin({ db, now, principal }: WriteCall, user: RowOf<'user'>): Promise<void> {
  if (!user.platformAdmin) return;
  await lockPlatform(db, now);
  requireCondition(principal, conditions.lastPlatformAdmin, {
    others: await otherPlatformAdmins(db, user.id),
  });
}

/** Returns a user's account as platform admins see it. */
async function accountOf(db: Reader, user: RowOf<'user'>) {
  const [account, factor, sessions, grants, servers] = await Promise.all([
    db.first(find('person', { id: user.id })),
    db.first(find('secondFactor', { id: user.id })),
    db.all(find('session', { userId: user.id })),
    db.all(find('grant', { userId: user.id })),
    db.all(
      q
        .selectFrom('server')
        .select('id')
        .where('creatorId', '=', user.id)
        .where('deletedAt', 'is', null)
        .limit(MAX_COUNTED),
    ),
  ]);
  const used = sessions.map(({ lastUsedAt }) => lastUsedAt);
  return {
    ...toPlatformUser(user),
    hasAccount: account !== undefined,
    email: account?.email ?? null,
    hasSecondFactor: factor !== undefined && factor.confirmedAt !== null,
    sessions: sessions.length,
    grants: grants.length,
    lastUsedAt: used.length === 0 ? null : Math.max(...used),
    servers: servers.length,
  };
}

const unclaimedIds = q.selectFrom('placeholder').select('placeholder.id').where('accountId', 'is', null);
const memberIdsOf = (serverId: string) =>
  q.selectFrom('serverMember').select('userId').where('serverMember.serverId', '=', serverId);

export const platformUserOperations = [
  read({
    operation: 'platformUsers',
    people: true,
    path: '/platform/users',
    tag: 'platform',
    summary: "List the platform's users",
    description: 'Returns the newest users first. With `username` or `name`, sorts by that field.',
    visible: 'platform',
    query: Type.Object({
      username: optional(text({ max: 32, description: 'The beginning of the username', examples: ['ad'] })),
      name: optional(
        text({
          max: 100,
          description: 'The beginning of the name. Case and accents are ignored',
          examples: ['Ada'],
        }),
      ),
      suspended: optional(flag('Only suspended users')),
      platformAdmin: optional(flag('Only platform admins')),
      unclaimed: optional(flag('Only imported people that no account has claimed yet')),
      serverId: optional(reference('Only members of this server, with `unclaimed`')),
    }),
    answer: platformUser,
    list: 'many',
    async target({ db, principal }, { query: { username, name, unclaimed, serverId } }) {
      if (username !== undefined && name !== undefined)
        throw invalid('mismatch', 'name', 'cannot be combined with username');
      // Platform admins cannot see the other members of a server.
      if (serverId !== undefined && !unclaimed)
        throw invalid('mismatch', 'serverId', 'can only be combined with unclaimed=true');
      if (serverId !== undefined) await load(db, 'server', serverId);
      return { serverId: null, ownerId: principal.userId };
    },
    run({ db }, input) {
      const { username, name, suspended, platformAdmin, unclaimed, serverId } = input.query;
      let rows = q.selectFrom('user').selectAll();
      if (suspended) rows = rows.where('suspendedAt', 'is not', null);
      if (platformAdmin) rows = rows.where('platformAdmin', '=', sql.lit(true));
      if (unclaimed) rows = rows.where('id', 'in', unclaimedIds);
      if (serverId !== undefined) rows = rows.where('id', 'in', memberIdsOf(serverId));
      const by =
        username !== undefined
          ? ({ by: 'username', beginning: username.toLowerCase() } as const)
          : name !== undefined
            ? ({ by: 'name', beginning: name } as const)
            : undefined;
      return sortedPage(db, rows, by, input, toPlatformUser);
    },
  }),

  read({
    operation: 'platformUserById',
    people: true,
    path: '/platform/users/:id',
    tag: 'platform',
    summary: 'Get a platform user with their account',
    visible: 'platform',
    answer: platformAccount,
    target,
    run: async ({ db }, _input, found) => accountOf(db, (await found).user),
  }),

  write({
    operation: 'platformUserUpdate',
    people: true,
    path: '/platform/users/:id',
    resource: 'platform',
    verb: 'update',
    summary: 'Grant or revoke platform admin',
    description: 'The last platform admin cannot be removed. Requires a confirmed identity.',
    body: body({
      id: optional(reference()),
      platformAdmin: flag('The user must be a person, not an agent', true),
    }),
    answer: platformUser,
    target,
    async run(call, { body: { platformAdmin } }, { user }) {
      requireProven(call);
      if (platformAdmin && user.type !== 'person')
        throw invalid('wrong_kind', 'id', 'is an agent; agents cannot sign in');
      if (platformAdmin === user.platformAdmin) return toPlatformUser(user);
      if (!platformAdmin) await requireOtherAdmin(call, user);
      const command = platformAdmin ? 'user make platform admin' : 'user remove platform admin';
      await recordAct(call, command, { id: user.id });
      return toPlatformUser(await changeUser(call, user, { platformAdmin }));
    },
  }),

  write({
    operation: 'platformUserSuspend',
    people: true,
    method: 'POST',
    path: '/platform/users/:id/suspend',
    resource: 'platform',
    verb: 'update',
    summary: 'Suspend a user and their agents',
    description:
      'Their keys and sessions stop working immediately on all nodes, and their streams end. No data is removed. Requires a confirmed identity.',
    body: body({ id: optional(reference()) }),
    answer: suspension,
    target,
    async run(call, _input, { user }) {
      requireCondition(call.principal, conditions.notOneself, { userId: user.id });
      requireProven(call);
      await requireOtherAdmin(call, user);
      const reached = await suspend(call, user);
      await recordByAdmin(call, user, 'suspended');
      await recordAct(call, 'user suspend', { id: user.id, agents: reached.agents });
      return { ...toPlatformUser(await load(call.db, 'user', user.id)), ...reached };
    },
  }),

  write({
    operation: 'platformUserLift',
    people: true,
    method: 'POST',
    path: '/platform/users/:id/lift',
    resource: 'platform',
    verb: 'update',
    summary: 'Lift the suspension of a user and their agents',
    description:
      'Also lifts the suspension of agents that were suspended with the user. Their keys and sessions work again unless they have expired. Requires a confirmed identity.',
    body: body({ id: optional(reference()) }),
    answer: suspension,
    target,
    async run(call, _input, { user }) {
      requireProven(call);
      if (isErased(user) || (await call.db.first(find('closing', { id: user.id }))))
        throw invalid('wrong_kind', 'id', 'has closed their account or was erased');
      const reached = await lift(call, user);
      await recordByAdmin(call, user, 'reinstated');
      await recordAct(call, 'user lift', { id: user.id, agents: reached.agents });
      return { ...toPlatformUser(await load(call.db, 'user', user.id)), ...reached };
    },
  }),

  write({
    operation: 'platformUserSignOut',
    people: true,
    method: 'POST',
    path: '/platform/users/:id/sign-out',
    resource: 'platform',
    verb: 'update',
    summary: 'Revoke all sessions and apps of a user',
    description: 'Requires a confirmed identity.',
    body: body({ id: optional(reference()) }),
    answer: platformUser,
    target,
    async run(call, _input, { user }) {
      requireProven(call);
      const sessions = await call.db.count(remove('session', { userId: user.id }));
      await call.db.run(remove('grant', { userId: user.id }));
      // An approval would let an app obtain a new session.
      await call.db.run(remove('approval', { userId: user.id }));
      await recordByAdmin(call, user, 'sessionsRevoked');
      await recordAct(call, 'user sign out', { id: user.id, sessions });
      return toPlatformUser(user);
    },
  }),

  write({
    operation: 'platformUserLink',
    people: true,
    method: 'POST',
    path: '/platform/users/:id/link',
    resource: 'platform',
    verb: 'update',
    summary: 'Create a one-time link for a user',
    description:
      'The user can claim their account or choose a new password with the link. `recovery` also removes two-factor authentication, passkeys, linked provider accounts and the email address. Earlier links of the same kind stop working. Requires a confirmed identity.',
    body: body({
      id: optional(reference()),
      purpose: oneOf(['claim', 'password', 'recovery'], '`claim` is for users without an account'),
    }),
    answer: userLink,
    confidential: true,
    target,
    async run(call, { body: { purpose } }, { user }) {
      requireProven(call);
      if (user.type !== 'person') throw invalid('wrong_kind', 'id', 'is an agent; agents cannot sign in');
      if (user.suspendedAt !== null) throw invalid('wrong_kind', 'id', 'is suspended');
      const hasAccount = (await call.db.first(find('person', { id: user.id }))) !== undefined;
      if (hasAccount === (purpose === 'claim'))
        throw invalid(
          'wrong_kind',
          'purpose',
          hasAccount ? 'the user already has an account' : 'the user has no account yet',
        );
      const { id, token, expiresAt } = await addLink(call, { purpose, userId: user.id, email: null });
      await recordAct(call, `user link ${purpose}`, { id: user.id });
      return { id, path: `/welcome#${token}`, expiresAt, createdAt: call.now, updatedAt: call.now };
    },
  }),
];
