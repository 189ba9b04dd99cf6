import type { Flag } from '../lib/flags.ts';
import { agentConditions } from './agentConditions.ts';
import { type Condition, condition } from './condition.ts';
import { moderation } from './moderation.ts';
import { type ChannelView, forbidden } from './predicates.ts';
import type { Principal } from './principal.ts';
import { operationText, type Resource, type Verb } from './rules.ts';
import { seesChannel, visibility } from './visibility.ts';

/** How long a proof of identity (password or passkey) is valid. */
const PROOF_MS = 10 * 60_000;

const missing = (principal: Principal, flags: readonly Flag[]): Flag[] =>
  flags.filter((flag) => !principal.flags.has(flag));

/**
 * All conditions that go beyond the table of rules (decisions, parts 3, 5 and 6). They are pure functions:
 * operations load the facts and pass them in.
 */
export const conditions = {
  ...moderation,
  ...agentConditions,
  registryFields: condition<{ isSubmitted: boolean }>({
    of: ['app update'],
    words: 'verified and installCount of an app in the registry: platform admin',
    holds: (principal, { isSubmitted }) => !isSubmitted || principal.platformAdmin,
    refusal: () => 'only a platform admin can change verified and installCount of an app in the registry',
  }),
  appThread: condition<{ channel: ChannelView }>({
    of: ['app insert', 'app update'],
    words: 'threadId: a thread whose channel the caller can see',
    holds: (principal, { channel }) => seesChannel(principal, channel),
    refusal: () => 'this key cannot see the channel of this thread',
    rule: () => `read: ${visibility.channel.words}`,
  }),
  installable: condition<{ isSubmitted: boolean; isOwn: boolean }>({
    of: ['appInstall insert', 'app insert'],
    words: "the server's own app, or one from the registry",
    holds: (_principal, { isSubmitted, isOwn }) => isSubmitted || isOwn,
    refusal: () => 'this app belongs to another server. Submit it to the registry to install it elsewhere',
    rule: () => "appInstall: the server's own app, or one from the registry",
  }),
  lockedThread: condition<{ isLocked: boolean; operation: `${Resource} ${Verb}` }>({
    of: ['message insert', 'message update', 'reaction insert', 'interaction insert'],
    words: 'in a locked thread: server admin or moderator',
    holds: (principal, { isLocked }) => !isLocked || principal.flags.has('canModerate'),
    refusal: () => 'this thread is locked',
    need: () => ['canModerate'],
    rule: ({ operation }) => `${operationText(operation)}; in a locked thread: server admin or moderator`,
  }),
  ownAttachment: condition<{ creatorId: string }>({
    of: ['message insert'],
    words: 'attachmentIds: files the caller uploaded',
    holds: (principal, { creatorId }) => creatorId === principal.userId,
    refusal: () => 'you can only attach files you uploaded',
  }),
  unlocking: condition<{ isLockedByModerator: boolean }>({
    of: ['thread update'],
    words: 'a thread locked by a moderator: unlocked by a server admin or moderator',
    holds: (principal, { isLockedByModerator }) => !isLockedByModerator || principal.flags.has('canModerate'),
    refusal: () => 'a moderator locked this thread, so only a moderator can unlock it',
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
    words: 'flags granted or removed: only those the caller has',
    holds: (principal, { flags }) => missing(principal, flags).length === 0,
    refusal: (principal, { flags }) =>
      `this key's role lacks ${missing(principal, flags).join(', ')}, and you can only grant permissions you have`,
    need: (principal, { flags }) => missing(principal, flags),
    rule: ({ operation }) => `${operationText(operation)}; only what the caller has can be granted`,
  }),
  seesAsMuch: condition<{
    roleId: string;
    privateChannels: readonly ChannelView[];
    operation: `${Resource} ${Verb}`;
  }>({
    of: ['secret insert', 'secret update', 'webhook update'],
    words: 'a role that sees private channels: only if the caller sees them, too',
    holds: (principal, { roleId, privateChannels }) =>
      principal.roleIds.includes(roleId) ||
      privateChannels.every(
        (channel) => !channel.roleIds.includes(roleId) || seesChannel(principal, channel),
      ),
    refusal: () => 'this role sees private channels that this key cannot see',
    rule: ({ operation }) => `${operationText(operation)}; only what the caller has can be granted`,
  }),
  withinReach: condition<{
    /** The flags of the key or webhook beyond those that every member has. */
    flags: readonly Flag[];
    /** Whether the key or webhook can see private channels that the principal cannot see. */
    seesMore: boolean;
    /** Whether the principal is not allowed to create keys for the user that the key or webhook acts as. */
    actsAsAnother: boolean;
    operation: `${Resource} ${Verb}`;
  }>({
    of: ['secret delete', 'webhook delete'],
    words: 'an API key or webhook that the caller could not have created: server admin or server creator',
    holds: (principal, { flags, seesMore, actsAsAnother }) =>
      principal.flags.has('canAdmin') ||
      principal.isServerCreator ||
      (missing(principal, flags).length === 0 && !seesMore && !actsAsAnother),
    refusal: (principal, { flags, seesMore }) => {
      const lacking = missing(principal, flags);
      if (lacking.length > 0)
        return `this key's role lacks ${lacking.join(', ')}, which the key or webhook to revoke has`;
      return seesMore
        ? 'this key or webhook sees private channels that yours cannot see'
        : 'this key or webhook acts as another person, or as an agent with permissions of its own';
    },
    need: (principal, { flags, seesMore, actsAsAnother }) =>
      seesMore || actsAsAnother ? ['canAdmin'] : missing(principal, flags),
    rule: ({ operation }) =>
      `${operationText(operation)}; of one that the caller could not have created: server admin or server creator`,
  }),
  actsAs: condition<{
    user: { id: string; type: 'person' | 'agent'; platformAdmin: boolean };
    serverCreatorId: string;
  }>({
    of: ['secret insert', 'secret update'],
    words: 'a key acts as its creator or as an agent without permissions of its own, never as another person',
    // Some rules hold for platform admins or the server's creator regardless of roles, so a key that acts as
    // one of them can do more than its role allows.
    holds: (principal, { user, serverCreatorId }) =>
      user.id === principal.userId ||
      (user.type === 'agent' && !user.platformAdmin && user.id !== serverCreatorId),
    refusal: () => 'you can create keys only for yourself, or for an agent without permissions of its own',
    rule: () => 'secret: a key acts as its creator or as an agent, never as another person',
  }),
  atHome: condition<{ user: { type: 'person' | 'agent'; homeServerId: string | null }; serverId: string }>({
    of: ['secret insert', 'secret update'],
    words: 'for an agent: in its home server, the first it joined',
    holds: (_principal, { user, serverId }) => user.type !== 'agent' || user.homeServerId === serverId,
    refusal: () => 'this agent belongs to another server. Create its keys there',
    rule: () => "secret: an agent's keys are created in its home server",
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
    words: `for a signed-in person who grants canAdmin to a key or role, changes their email address or a way to sign in, approves an app, exports their data, closes their account, administers the platform, or deletes or transfers a server: signed in, or identity confirmed by password or passkey, within the last ${PROOF_MS / 60_000} minutes`,
    // A proof dated in the future was recorded before the clock was set back. Without `Math.abs`, it would
    // stay valid for too long.
    holds: (_principal, { provenAt, now }) => provenAt === undefined || Math.abs(now - provenAt) < PROOF_MS,
    refusal: () =>
      'confirm your identity: POST /api/people/proof with your password or a passkey, then try again',
    rule: () => `proof: a person's password or passkey within the last ${PROOF_MS / 60_000} minutes`,
  }),
  wayIn: condition<{ hasWayIn: boolean }>({
    of: ['person update'],
    words:
      'the last way to sign in cannot be removed: a password, an account at a provider, two passkeys, or one backed-up passkey',
    holds: (_principal, { hasWayIn }) => hasWayIn,
    refusal: () =>
      'if you lost a device, you could no longer sign in. Set a password or add another passkey first',
    rule: () => 'person: the last way to sign in cannot be removed',
  }),
  handedOver: condition<object>({
    of: ['server update'],
    words: 'to transfer ownership: the server creator, signed in',
    holds: (principal) => principal.isSignedIn === true && principal.isServerCreator,
    refusal: () => 'only the owner of a server can transfer it',
    rule: () => 'server: only the server creator can transfer ownership',
  }),
  deletable: condition<object>({
    of: ['server delete'],
    words: 'the server creator, signed in',
    holds: (principal) => principal.isSignedIn === true && principal.isServerCreator,
    refusal: () => 'only the owner of a server can delete it',
    rule: () => 'server: only the server creator can delete it',
  }),
  createsServers: condition<{ serverCreators: 'anybody' | 'admins' }>({
    of: ['server insert'],
    words: 'platform admin, if the setting serverCreators is `admins`',
    holds: (principal, { serverCreators }) => serverCreators === 'anybody' || principal.platformAdmin,
    refusal: () => 'only admins of this platform can create servers',
  }),
  creatorStays: condition<{ userId: string; serverCreatorId: string }>({
    of: ['serverMember delete'],
    words: 'a signed-in server creator must transfer ownership before leaving',
    holds: (principal, { userId, serverCreatorId }) =>
      !(principal.isSignedIn || principal.isGranted) ||
      userId !== principal.userId ||
      userId !== serverCreatorId,
    refusal: () => 'you own this server. Transfer ownership or delete it first',
    rule: () => 'serverMember: the server creator must transfer ownership before leaving',
  }),
  notOneself: condition<{ userId: string }>({
    of: ['platform update'],
    words: 'another user',
    holds: (principal, { userId }) => userId !== principal.userId,
    refusal: () => 'you cannot suspend yourself. Ask another platform admin',
    rule: () => 'platform: nobody can suspend themselves',
  }),
  ownsNoServer: condition<{ servers: number }>({
    of: ['person delete'],
    words: 'a server creator transfers or deletes their servers before closing their account',
    holds: (_principal, { servers }) => servers === 0,
    refusal: () => 'you own servers. Transfer or delete them first',
    rule: () => 'person: a server creator transfers or deletes their servers before closing their account',
  }),
  lastPlatformAdmin: condition<{ others: number }>({
    of: ['platform update', 'person delete'],
    words: 'the last active platform admin cannot be removed',
    holds: (_principal, { others }) => others > 0,
    refusal: () => 'this is the last platform admin. Make someone else a platform admin first',
    rule: () => 'platform: the last platform admin cannot be removed',
  }),
  bannable: condition<{ userId: string; serverCreatorId: string }>({
    of: ['serverBan insert'],
    words: 'neither the server creator nor the caller',
    holds: (principal, { userId, serverCreatorId }) =>
      userId !== principal.userId && userId !== serverCreatorId,
    refusal: (principal, { userId }) =>
      userId === principal.userId ? 'you cannot ban yourself' : 'the owner of the server cannot be banned',
  }),
  consents: condition<{ userId: string; hasAccount: boolean; hasLeft: boolean }>({
    of: ['serverMember insert'],
    words:
      'a person with an account, or a user who left, can only join by themselves. Invite people with POST /api/people/invitations',
    holds: (principal, { userId, hasAccount, hasLeft }) =>
      userId === principal.userId || !(hasAccount || hasLeft),
    refusal: (_principal, { hasAccount }) =>
      hasAccount
        ? 'this person has an account. Invite them with POST /api/people/invitations'
        : 'this user left the server. Only they can join it again',
    rule: () =>
      'serverMember: a person with an account joins by themselves or accepts an invitation (POST /api/people/invitations); a user who left can only rejoin by themselves',
  }),
  notBanned: condition<{ isBanned: boolean }>({
    of: ['serverMember insert', 'invitation insert', 'invitation update'],
    words: 'neither a banned user nor an agent created by one',
    holds: (_principal, { isBanned }) => !isBanned,
    refusal: () => 'this user, or the user who created this agent, is banned from the server',
  }),
  lastingRole: condition<{ isDefault: boolean; isCreatorRole: boolean }>({
    of: ['role delete'],
    words: "not the default role, and not the creator's admin role",
    holds: (_principal, { isDefault, isCreatorRole }) => !isDefault && !isCreatorRole,
    refusal: (_principal, facts) => `${lastingName(facts)} cannot be deleted`,
    rule: (facts) => `role: ${lastingName(facts)} cannot be deleted`,
  }),
  acceptsMessages: condition<{ refusing: boolean }>({
    of: ['conversation insert', 'message insert'],
    words:
      'to start a direct message, or to write in one with one other member: only if the others accept direct messages',
    holds: (_principal, { refusing }) => !refusing,
    // Blocked senders get the same message as senders to a person who accepts no messages, so it does not
    // reveal blocks.
    refusal: () => 'somebody here does not accept direct messages',
    rule: () => 'conversation: with people who accept direct messages',
  }),
  administrable: condition<{ hasAdministrator: boolean }>({
    of: ['role update', 'role delete', 'userRole delete', 'serverMember delete', 'serverBan insert'],
    words: 'a server must always have an admin',
    holds: (_principal, { hasAdministrator }) => hasAdministrator,
    refusal: () => 'this server would have no admin left. Assign an admin role to another member first',
    rule: () => 'a server must always have an admin',
  }),
};

const lastingName = ({ isDefault }: { isDefault: boolean }): string =>
  isDefault ? 'the default role' : "the creator's admin role";

/** Throws FORBIDDEN unless the condition holds. */
export function requireCondition<Facts>(
  principal: Principal,
  { of, words, holds, refusal, need, rule }: Condition<Facts>,
  facts: Facts,
): void {
  if (holds(principal, facts)) return;
  const text = rule?.(facts) ?? `${operationText(of[0] as `${Resource} ${Verb}`)}; ${words}`;
  throw forbidden(principal, text, need?.(principal, facts) ?? [], refusal(principal, facts));
}
