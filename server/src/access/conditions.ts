import type { Flag } from '../lib/flags.ts';
import { type ChannelView, forbidden } from './predicates.ts';
import type { Principal } from './principal.ts';
import { type Resource, ruleText, type Verb } from './rules.ts';
import { seesChannel, visibility } from './visibility.ts';

/** A condition that some operations check in addition to their resource's rule. */
export interface Condition<Facts> {
  /** The operations it applies to. A refusal names the rule of the first, unless `rule` is given. */
  of: readonly `${Resource} ${Verb}`[];
  /** The condition as shown in `docs/tables.md` and in refusals. */
  words: string;
  holds(principal: Principal, facts: Facts): boolean;
  /** The message of a refusal. */
  refusal(principal: Principal, facts: Facts): string;
  /** The missing flags, for the `need` of a refusal. None if left out. */
  need?(principal: Principal, facts: Facts): readonly Flag[];
  /** The rule that a refusal names. Default: the rule of the first operation, followed by `words`. */
  rule?(facts: Facts): string;
}

const condition = <Facts>(given: Condition<Facts>): Condition<Facts> => given;

/** Lifetime of a proof of identity (password or passkey). */
const PROOF_MS = 10 * 60_000;

const missing = (principal: Principal, flags: readonly Flag[]): Flag[] =>
  flags.filter((flag) => !principal.flags.has(flag));

/**
 * All conditions beyond the table of rules (decisions, parts 3, 5 and 6). They are pure functions: operations
 * load the facts and pass them in.
 */
export const conditions = {
  registryFields: condition<{ isSubmitted: boolean }>({
    of: ['app update'],
    words: 'verified and installCount of an app in the registry: platform admin',
    holds: (principal, { isSubmitted }) => !isSubmitted || principal.platformAdmin,
    refusal: () => 'verified and installCount of an app in the registry are written by a platform admin only',
  }),
  appThread: condition<{ channel: ChannelView }>({
    of: ['app insert', 'app update'],
    words: 'threadId: a thread whose channel can be seen',
    holds: (principal, { channel }) => seesChannel(principal, channel),
    refusal: () => 'this cannot be seen with this key',
    rule: () => `read: ${visibility.channel.words}`,
  }),
  installable: condition<{ isSubmitted: boolean; isOwn: boolean }>({
    of: ['appInstall insert', 'app insert'],
    words: "an app of the server's own, or one in the registry",
    holds: (_principal, { isSubmitted, isOwn }) => isSubmitted || isOwn,
    refusal: () => "this app is another server's own",
    rule: () => "appInstall: an app of the server's own, or one in the registry",
  }),
  lockedThread: condition<{ isLocked: boolean; operation: `${Resource} ${Verb}` }>({
    of: ['message insert', 'message update', 'reaction insert'],
    words: 'in a locked thread: server admin or moderator',
    holds: (principal, { isLocked }) => !isLocked || principal.flags.has('canModerate'),
    refusal: () => 'this thread is locked',
    need: () => ['canModerate'],
    rule: ({ operation }) => `${textOf(operation)}; in a locked thread: server admin or moderator`,
  }),
  ownAttachment: condition<{ creatorId: string }>({
    of: ['message insert'],
    words: 'attachmentIds: files that the caller has uploaded',
    holds: (principal, { creatorId }) => creatorId === principal.userId,
    refusal: () => 'attachmentIds: a file of somebody else',
  }),
  unlocking: condition<{ isLockedByModerator: boolean }>({
    of: ['thread update'],
    words: 'a thread that a moderator locked is unlocked by a server admin or moderator',
    holds: (principal, { isLockedByModerator }) => !isLockedByModerator || principal.flags.has('canModerate'),
    refusal: () => 'locked: a moderator locked this thread, so only a moderator can unlock it',
    need: () => ['canModerate'],
  }),
  holdsFlags: condition<{ flags: readonly Flag[]; operation: `${Resource} ${Verb}` }>({
    of: [
      'role insert',
      'role update',
      'role delete',
      'userRole insert',
      'userRole delete',
      'secret insert',
      'secret update',
      'webhook update',
      'serverBan insert',
    ],
    words: 'nobody can give, or take, a flag that they do not have',
    holds: (principal, { flags }) => missing(principal, flags).length === 0,
    refusal: (principal, { flags }) =>
      `this key's role lacks ${missing(principal, flags).join(', ')}, and nobody can give what they do not have`,
    need: (principal, { flags }) => missing(principal, flags),
    rule: ({ operation }) => `${textOf(operation)}; nobody can give what they do not have`,
  }),
  seesAsMuch: condition<{
    roleId: string;
    privateChannels: readonly ChannelView[];
    operation: `${Resource} ${Verb}`;
  }>({
    of: ['secret insert', 'secret update', 'webhook update'],
    words: 'nobody can give a role that sees private channels which they do not see',
    holds: (principal, { roleId, privateChannels }) =>
      principal.roleIds.includes(roleId) ||
      privateChannels.every(
        (channel) => !channel.roleIds.includes(roleId) || seesChannel(principal, channel),
      ),
    refusal: () => 'roleId: the role sees private channels that this key does not see',
    rule: ({ operation }) => `${textOf(operation)}; nobody can give what they do not have`,
  }),
  withinReach: condition<{
    /** The flags of the key or webhook beyond those that every member has. */
    flags: readonly Flag[];
    /** Whether it sees private channels that the principal does not see. */
    seesMore: boolean;
    /** Whether it acts as a user for whom the principal could not mint a key. */
    actsAsAnother: boolean;
    operation: `${Resource} ${Verb}`;
  }>({
    of: ['secret delete', 'webhook delete'],
    words: 'of an API key or webhook that the caller could not have made: server admin or server creator',
    holds: (principal, { flags, seesMore, actsAsAnother }) =>
      principal.flags.has('canAdmin') ||
      principal.isServerCreator ||
      (missing(principal, flags).length === 0 && !seesMore && !actsAsAnother),
    refusal: (principal, { flags, seesMore }) => {
      const lacking = missing(principal, flags);
      if (lacking.length > 0) return `it has ${lacking.join(', ')}, which this key's role lacks`;
      return seesMore
        ? 'it sees private channels that this key does not see'
        : 'it acts as another person, or as an agent with powers of its own';
    },
    need: (principal, { flags, seesMore, actsAsAnother }) =>
      seesMore || actsAsAnother ? ['canAdmin'] : missing(principal, flags),
    rule: ({ operation }) =>
      `${textOf(operation)}; of one that the caller could not have made: server admin or server creator`,
  }),
  actsAs: condition<{
    user: { id: string; type: 'person' | 'agent'; platformAdmin: boolean };
    serverCreatorId: string;
  }>({
    of: ['secret insert', 'secret update'],
    words: 'a key acts as its minter or as an agent without powers of its own, never as another person',
    // Rules favour platform admins and the server's creator by user, so a key of theirs can do more than its
    // role.
    holds: (principal, { user, serverCreatorId }) =>
      user.id === principal.userId ||
      (user.type === 'agent' && !user.platformAdmin && user.id !== serverCreatorId),
    refusal: () => 'userId: must be yourself, or an agent without powers of its own',
    rule: () => 'secret: a key acts as its minter or as an agent, never as another person',
  }),
  atHome: condition<{ user: { type: 'person' | 'agent'; homeServerId: string | null }; serverId: string }>({
    of: ['secret insert', 'secret update'],
    words: 'for an agent: in its home server, the first that it joined',
    holds: (_principal, { user, serverId }) => user.type !== 'agent' || user.homeServerId === serverId,
    refusal: () => 'userId: this agent is at home in another server, and keys are minted for it there alone',
    rule: () => 'secret: a key of an agent is minted in its home server',
  }),
  proven: condition<{ provenAt: number | undefined; now: number }>({
    of: [
      'secret insert',
      'secret update',
      'role update',
      'person update',
      'person delete',
      'server delete',
      'platform insert',
      'platform update',
      'platform delete',
    ],
    words: `for a person who is signed in, if the key has canAdmin, a role gets it, or the change is about their account, deletes a server or is the platform's: signed in, or their password or passkey given again, within ${PROOF_MS / 60_000} minutes`,
    // A proof from the future dates from before the clock was set back.
    holds: (_principal, { provenAt, now }) => provenAt === undefined || Math.abs(now - provenAt) < PROOF_MS,
    refusal: () =>
      'prove who you are: POST /api/people/proof with your password or a passkey, then try again',
    rule: () => `proof: a person's password or passkey within ${PROOF_MS / 60_000} minutes`,
  }),
  wayIn: condition<{ hasWayIn: boolean }>({
    of: ['person update'],
    words:
      'the last way to sign in cannot be removed: a password, an account at a provider, two passkeys, or one that is backed up',
    holds: (_principal, { hasWayIn }) => hasWayIn,
    refusal: () =>
      'you could not sign in any more if you lost a device: choose a password, or add another passkey first',
    rule: () => 'person: the last way to sign in cannot be removed',
  }),
  handedOver: condition<object>({
    of: ['server update'],
    words: 'to hand it over: the server creator, who is signed in',
    holds: (principal) => principal.isSignedIn === true && principal.isServerCreator,
    refusal: () => 'only the creator of a server hands it over',
    rule: () => 'server: the server creator hands it over',
  }),
  deletable: condition<object>({
    of: ['server delete'],
    words: 'the server creator, who is signed in',
    holds: (principal) => principal.isSignedIn === true && principal.isServerCreator,
    refusal: () => 'only the creator of a server deletes it',
    rule: () => 'server: the server creator deletes it',
  }),
  creatorStays: condition<{ userId: string; serverCreatorId: string }>({
    of: ['serverMember delete'],
    words: 'the creator of a server, who is signed in, does not leave it before they have handed it over',
    holds: (principal, { userId, serverCreatorId }) =>
      principal.isSignedIn !== true || userId !== principal.userId || userId !== serverCreatorId,
    refusal: () => 'you are the creator of this server: hand it over, or delete it',
    rule: () => 'serverMember: the creator of a server hands it over before they leave',
  }),
  notOneself: condition<{ userId: string }>({
    of: ['platform update'],
    words: 'nobody suspends themselves',
    holds: (principal, { userId }) => userId !== principal.userId,
    refusal: () => 'this is you: ask another platform admin',
    rule: () => 'platform: nobody suspends themselves',
  }),
  ownsNoServer: condition<{ servers: number }>({
    of: ['person delete'],
    words: 'the creator of servers hands them over, or deletes them, before they close their account',
    holds: (_principal, { servers }) => servers === 0,
    refusal: () => 'you are the creator of servers: hand them over, or delete them',
    rule: () =>
      'person: the creator of servers hands them over, or deletes them, before they close their account',
  }),
  lastPlatformAdmin: condition<{ others: number }>({
    of: ['platform update', 'person delete'],
    words: 'the last platform admin who is not suspended stays one',
    holds: (_principal, { others }) => others > 0,
    refusal: () =>
      'nobody would be left to administer the platform: make somebody else a platform admin first',
    rule: () => 'platform: the last platform admin stays one',
  }),
  bannable: condition<{ userId: string; serverCreatorId: string }>({
    of: ['serverBan insert'],
    words: 'neither the creator of the server nor oneself',
    holds: (principal, { userId, serverCreatorId }) =>
      userId !== principal.userId && userId !== serverCreatorId,
    refusal: (principal, { userId }) =>
      userId === principal.userId
        ? 'userId: nobody can ban themselves'
        : 'userId: the creator of the server cannot be banned',
  }),
  notBanned: condition<{ isBanned: boolean }>({
    of: ['serverMember insert'],
    words: 'nobody who is banned from the server, and no agent that they made',
    holds: (_principal, { isBanned }) => !isBanned,
    refusal: () => 'this user, or the user who made this agent, is banned from the server',
  }),
  lastingRole: condition<{ isDefault: boolean; isCreatorRole: boolean }>({
    of: ['role delete'],
    words: "neither the default role nor the creator's admin role",
    holds: (_principal, { isDefault, isCreatorRole }) => !isDefault && !isCreatorRole,
    refusal: (_principal, facts) => `${lastingName(facts)} cannot be deleted`,
    rule: (facts) => `role: ${lastingName(facts)} cannot be deleted`,
  }),
  administrable: condition<{ hasAdministrator: boolean }>({
    of: ['role update', 'role delete', 'userRole delete', 'serverMember delete', 'serverBan insert'],
    words: 'the last way for someone to administer the server cannot be removed',
    holds: (_principal, { hasAdministrator }) => hasAdministrator,
    refusal: () =>
      'nobody would be left to administer this server: give another member a role with canAdmin first',
    rule: () => 'the last way for someone to administer the server cannot be removed',
  }),
};

const lastingName = ({ isDefault }: { isDefault: boolean }): string =>
  isDefault ? 'the default role' : "the creator's admin role";

const textOf = (operation: `${Resource} ${Verb}`): string => {
  const [resource, verb] = operation.split(' ') as [Resource, Verb];
  return ruleText(resource, verb);
};

/** Throws FORBIDDEN unless the condition holds. */
export function requireCondition<Facts>(
  principal: Principal,
  { of, words, holds, refusal, need, rule }: Condition<Facts>,
  facts: Facts,
): void {
  if (holds(principal, facts)) return;
  const text = rule?.(facts) ?? `${textOf(of[0] as `${Resource} ${Verb}`)}; ${words}`;
  throw forbidden(principal, text, need?.(principal, facts) ?? [], refusal(principal, facts));
}
