import type { Reader } from '../db/contract.ts';
import type { RowOf } from '../db/schema.ts';
import { find, q } from '../db/statements.ts';
import { isMemberInSight } from '../db/sweep.ts';
import { ApiError, invalid } from '../errors.ts';
import { act } from '../operations/act.ts';
import { body, optional, reference } from '../operations/fields.ts';
import type { Work } from '../operations/work.ts';
import { load } from '../resources/common.ts';
import { claimUser } from '../resources/placeholder.ts';
import { recordAct } from '../resources/recordAct.ts';
import { putAccount } from './account.ts';
import { countAttempt } from './attempts.ts';
import { codeProblem } from './codes.ts';
import { newPassword } from './fields.ts';
import { signIn } from './history/signIn.ts';
import { linkOf, useLink } from './link.ts';
import { claimedUser, MAX_SHOWN_SERVERS, shownLink } from './linkRecord.ts';
import { notify } from './notices.ts';
import { hashPassword, requireStrong } from './password.ts';
import { person, personOf } from './personRecord.ts';
import { removeOtherWays } from './recovery.ts';
import { code } from './secondFactor.ts';

const token = reference('The part of the link after #');

/** Selects the servers that a user belongs to, oldest membership first. */
const serversOf = (userId: string) =>
  q
    .selectFrom('serverMember')
    .innerJoin('server', 'server.id', 'serverMember.serverId')
    .select(['server.id', 'server.name', 'server.icon'])
    .where('serverMember.userId', '=', userId)
    .where('server.deletedAt', 'is', null)
    .where(isMemberInSight)
    .orderBy('serverMember.id')
    .limit(MAX_SHOWN_SERVERS);

/** Returns the reason why an account cannot claim the link's user; undefined if it can. */
async function refusalOf(
  db: Reader,
  { purpose, userId }: Pick<RowOf<'link'>, 'purpose' | 'userId'>,
  accountId: string | undefined,
): Promise<ApiError | undefined> {
  if (purpose !== 'claim' || userId === null)
    return invalid('wrong_kind', 'token', 'is not a link to claim a user');
  if (userId === accountId) return invalid('wrong_kind', 'token', 'is for your own account');
  const [user, account, placeholder] = await Promise.all([
    load(db, 'user', userId),
    db.first(find('person', { id: userId })),
    db.first(find('placeholder', { id: userId })),
  ]);
  if (placeholder && placeholder.accountId !== null)
    return new ApiError(
      'ALREADY_EXISTS',
      placeholder.accountId === accountId
        ? 'you have already claimed this user'
        : 'another account has already claimed this user',
    );
  if (account) return new ApiError('ALREADY_EXISTS', 'this user already has an account of their own');
  if (user.suspendedAt !== null) return invalid('wrong_kind', 'token', 'is for a suspended user');
  // A merge does not transfer permissions, so the platform could lose its last admin.
  if (user.platformAdmin)
    return invalid('wrong_kind', 'token', 'is for a platform admin, who needs an account of their own');
  return undefined;
}

/**
 * Throws INVALID_REQUEST if an account cannot claim the link's user, and ALREADY_EXISTS if the user was
 * already claimed or has an account of their own.
 */
async function requireClaimable(work: Work, link: RowOf<'link'>, accountId: string): Promise<void> {
  const refusal = await refusalOf(work.db, link, accountId);
  if (refusal) throw refusal;
}

export const linkOperations = [
  act({
    operation: 'personLink',
    people: true,
    open: true,
    path: '/links/look',
    resource: 'person',
    verb: 'insert',
    summary: 'Look up a link',
    description: 'The token is the part of the link after `#`. This does not use up the link.',
    body: body({ token }),
    answer: shownLink,
    async run({ db, now }, { body }) {
      const found = await linkOf(db, body.token, now);
      // The link may have been mailed to a stranger, who must not see the person's name.
      const userId = found.purpose === 'email' ? null : found.userId;
      const user = userId === null ? undefined : await load(db, 'user', userId);
      const servers = userId === null || found.purpose !== 'claim' ? [] : await db.all(serversOf(userId));
      const { username = null, name = null, image = null } = user ?? {};
      const canMerge = (await refusalOf(db, found, undefined)) === undefined;
      return { data: { ...found, username, name, image, servers, canMerge } };
    },
  }),

  act({
    operation: 'personClaim',
    people: true,
    conflict: true,
    open: true,
    method: 'POST',
    path: '/links/claim',
    resource: 'person',
    verb: 'update',
    summary: 'Claim an account or reset its password',
    description:
      'Uses up a link from the operator, a platform admin or an email. Revokes all sessions of the account and sets the cookie of a new one. With two-factor authentication a code is required, unless the link is for recovery: then two-factor authentication, passkeys, linked providers and the email address are removed.',
    body: body({
      token,
      password: newPassword,
      code: optional(code),
    }),
    answer: person,
    async run(call, { body }) {
      const { purpose, userId, email } = await linkOf(call.db, body.token, call.now);
      if (purpose === 'email')
        throw invalid(
          'wrong_kind',
          'token',
          'is a link to confirm an email address. Use POST /api/people/email/verify',
        );
      if (userId === null)
        throw invalid('wrong_kind', 'token', 'is a sign-up link. Use POST /api/people/sign-up');
      const user = await load(call.db, 'user', userId);
      await requireStrong('password', body.password, user.username, user.name, email);
      if (body.code !== undefined) await countAttempt(call, 'user', userId);
      const hash = await hashPassword(call.address, body.password);
      const token = await call.writeOnAccount(userId, async (work) => {
        const link = await linkOf(work.db, body.token, work.now);
        if (link.purpose === 'recovery') await removeOtherWays(work, userId);
        const problem = await codeProblem(work, userId, body.code);
        if (problem) return problem;
        await useLink(work.db, link);
        await putAccount(work, { userId, hash, email });
        if (purpose !== 'claim') await notify(work, userId, 'password');
        return signIn(work, { userId, method: 'link', isNew: purpose === 'claim' });
      });
      if (typeof token !== 'string') throw token;
      return { data: await personOf(call.db, userId, call.now), token };
    },
  }),

  act({
    operation: 'personMerge',
    people: true,
    conflict: true,
    method: 'POST',
    path: '/links/merge',
    resource: 'person',
    verb: 'update',
    summary: 'Claim a user with your account',
    description:
      'Uses up a link to claim a user without an account, such as one that an import added. The user is merged into your account in the background. This cannot be undone.',
    body: body({ token }),
    answer: claimedUser,
    async run(call, { body }) {
      const { userId: accountId } = call.principal;
      const { userId } = await linkOf(call.db, body.token, call.now);
      const data = await call.write(
        async (work) => {
          const link = await linkOf(work.db, body.token, work.now);
          await requireClaimable(work, link, accountId);
          await useLink(work.db, link);
          const user = await load(work.db, 'user', link.userId as string);
          await claimUser(work, user.id, accountId);
          await recordAct(work, 'user claim', { id: user.id, accountId });
          return user;
        },
        accountId,
        userId === null ? [accountId] : [accountId, userId],
      );
      return { data };
    },
  }),
];
