import { ApiError } from '../errors.ts';
import { effectiveFlags, type Flag, flagNames } from '../lib/flags.ts';
import type { Principal } from './principal.ts';

/** The facts about a write's target that rules depend on. */
export interface Target {
  /** Null if the target belongs to a person rather than to a server. */
  serverId: string | null;
  /** Ids of additional servers and users whose logs the write appends to. */
  alsoIn?: readonly string[] | undefined;
  /** The channel of the target. The principal must be able to see the channel. */
  channel?: ChannelView | undefined;
  /** The channel that the write moves the target to. The principal must be able to see this channel, too. */
  nextChannel?: ChannelView | undefined;
  /** Whether the principal takes part in a direct message of the server. */
  isInConversation?: boolean | undefined;
  /** The user who created the target or owns it. */
  ownerId?: string | undefined;
  /**
   * The user of a new membership. `open` is true if the server is public or the user has a valid invite;
   * otherwise, `closed` is the error message.
   */
  admission?: { userId: string; open: boolean; closed: string } | undefined;
}

/** The fields of a channel that determine who sees it and who may write in it. */
export interface ChannelView {
  private: boolean;
  readonly: boolean;
  roleIds: readonly string[];
  /** The members of a direct message. Only they can see it. Null for other channels. */
  memberIds: readonly string[] | null;
}

/** One term of a rule. */
export interface Predicate {
  words: string;
  holds(principal: Principal, target: Target): boolean;
}

/** The rule of one operation: a disjunction of predicates, optionally restricted to writable channels. */
export interface Rule {
  words: string;
  holds(principal: Principal, target: Target): boolean;
}

const within = (principal: Principal, target: Target): boolean => principal.serverId === target.serverId;

/** Holds for a principal with a role that has any of the flags. `canAdmin` implies all flags. */
export const role = (...flags: Flag[]): Predicate => ({
  words: flags.join('/'),
  holds: (principal, target) => within(principal, target) && hasAny(principal, flags),
});

function hasAny(principal: Principal, flags: readonly Flag[]): boolean {
  for (const flag of flags) if (principal.flags.has(flag)) return true;
  return false;
}

const identity = (words: string, holds: Predicate['holds']): Predicate => ({
  words,
  holds: (principal, target) => within(principal, target) && holds(principal, target),
});

export const serverAdmin: Predicate = { ...role('canAdmin'), words: 'server admin' };
export const moderator: Predicate = { ...role('canModerate'), words: 'moderator' };
/** Any member of the server, regardless of role. */
export const anyMember = identity('any member', () => true);
export const serverCreator = identity('server creator', (principal) => principal.isServerCreator);
export const platformAdmin = identity('platform admin', (principal) => principal.platformAdmin);
export const agent = identity('agent', (principal) => principal.userType === 'agent');
export const owner = (words: string): Predicate =>
  identity(words, (principal, target) => target.ownerId === principal.userId);

/** The agent that owns the target. */
export const itsAgent = identity(
  'its agent',
  ({ userId, userType }, target) => userType === 'agent' && target.ownerId === userId,
);

/** The person themselves, in any server or none. */
export const oneself: Predicate = {
  words: 'the user themselves',
  holds: (principal, { ownerId }) => principal.isSignedIn === true && ownerId === principal.userId,
};

/** A signed-in person, in any server or none. */
export const anyPerson: Predicate = {
  words: 'a signed-in person',
  holds: (principal) => principal.isSignedIn === true && principal.userType === 'person',
};

/**
 * Whether the user acts directly: a signed-in person, or an agent with its key. A person's key doesn't count,
 * because somebody else may hold it.
 */
export const isInPerson = ({
  isSignedIn,
  userType,
}: {
  readonly isSignedIn?: true;
  readonly userType?: 'person' | 'agent';
}): boolean => isSignedIn === true || userType === 'agent';

/** A member who can take part in direct messages. */
export const correspondent = identity('a signed-in member, or an agent', isInPerson);

/** Holds for the members of a direct message. Nobody else can see it. */
export const directMember: Predicate = {
  words: 'its members',
  holds: ({ userId }, { channel }) => channel?.memberIds?.includes(userId) === true,
};

/**
 * Holds for a user who takes part in a direct message of the server, and may therefore upload files for it.
 */
export const inConversation = identity(
  'member of a direct message',
  (_principal, { isInConversation }) => isInConversation === true,
);

/** Nobody, regardless of role. */
export const nobody: Predicate = { words: 'nobody', holds: () => false };

/** A signed-in platform admin, in any server or none. */
export const administrator: Predicate = {
  words: 'signed-in platform admin',
  holds: (principal) => principal.isSignedIn === true && principal.platformAdmin,
};

/** A platform admin, signed in or with an API key, in any server or none. */
export const administratorOrKey: Predicate = {
  words: 'platform admin, also with an API key',
  holds: (principal) => principal.platformAdmin,
};

/** Users may join any open server themselves, even with a key for another server. */
export const oneselfAdmitted: Predicate = {
  words: 'the user themselves, into a public server or with a valid invite',
  // A grant is for one server, so it cannot be used to join another.
  holds: ({ userId, isGranted }, { admission }) =>
    !isGranted && admission?.open === true && admission.userId === userId,
};

/** Formats like `Intl.ListFormat`, which would make Node load its locale data at startup. */
const disjunction = (words: readonly string[]): string =>
  words.length < 3 ? words.join(' or ') : `${words.slice(0, -1).join(', ')}, or ${words.at(-1)}`;

/** Holds if any of the terms holds. */
export const anyOf = (...terms: Predicate[]): Rule => ({
  words: disjunction(terms.map(({ words }) => words)),
  holds(principal, target) {
    for (const term of terms) if (term.holds(principal, target)) return true;
    return false;
  },
});

/** Restricts a rule: in a read-only channel, only admins and moderators may write. */
export const inWritableChannel = (rule: Rule): Rule => ({
  words: `${rule.words} (non-readonly channel; in a readonly one: server admin or moderator)`,
  holds: (principal, target) =>
    rule.holds(principal, target) && (!target.channel?.readonly || principal.flags.has('canModerate')),
});

/** Returns the flags that would each satisfy the rule. `canAdmin` is listed only if no other flag would. */
export function flagsNeeded(rule: Rule, principal: Principal, target: Target): Flag[] {
  const enough = flagNames.filter((flag) =>
    rule.holds({ ...principal, flags: effectiveFlags([...principal.ownFlags, flag]) }, target),
  );
  const lesser = enough.filter((flag) => flag !== 'canAdmin');
  return lesser.length > 0 ? lesser : enough;
}

/**
 * Creates a FORBIDDEN error with the rule, the caller's flags and the flags they need (decisions, part 1). It
 * reveals nothing about other users.
 */
export function forbidden(
  principal: Principal,
  rule: string,
  need: readonly Flag[],
  message?: string,
): ApiError {
  const help =
    need.length > 0 ? `this key's role lacks ${need.join(' or ')}` : 'this key is not allowed to do that';
  const text = message ?? help;
  const shown = principal.isSignedIn ? toPerson(text) : principal.isGranted ? toApp(text) : text;
  return new ApiError('FORBIDDEN', shown, {
    rule,
    have: principal.ownFlags,
    need,
  });
}

/** Phrases about a key, each with the equivalent for a signed-in person. */
const words = [
  ["this key's role lacks", 'your roles lack'],
  ['this key is not allowed', 'you are not allowed'],
  ['this key cannot', 'you cannot'],
  ['yours cannot', 'you cannot'],
  ['this key belongs to another server', 'this is not in the server you are acting in'],
] as const;

/** Rephrases an error message for a signed-in person. */
const toPerson = (message: string): string =>
  words.reduce((text, [ofKey, ofPerson]) => text.replace(ofKey, ofPerson), message);

/** Rephrases an error message for an app to which a person granted flags. */
const toApp = (message: string): string => message.replace(/this key('s role)?/, 'this app');
