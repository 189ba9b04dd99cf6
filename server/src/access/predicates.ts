import { ApiError } from '../errors.ts';
import { effectiveFlags, type Flag, flagNames } from '../lib/flags.ts';
import type { Principal } from './principal.ts';

/** The facts that rules look at of the thing that is to be written. */
export interface Target {
  serverId: string;
  /** Further logs, of servers or of users, that the write appends to. */
  alsoIn?: readonly string[] | undefined;
  /** The channel that it is in, and the one that it is to be moved to: both must be seen. */
  channel?: ChannelView | undefined;
  nextChannel?: ChannelView | undefined;
  /** The user who made it, or to whom it belongs. */
  ownerId?: string | undefined;
  /** Of a new membership: the user that it is for, and whether anything lets that user in. */
  admission?: { userId: string; open: boolean } | undefined;
}

/** The part of a channel that decides who sees it. */
export interface ChannelView {
  private: boolean;
  readonly: boolean;
  roleIds: readonly string[];
}

/** One term of a rule: its words, and the test. */
export interface Predicate {
  words: string;
  holds(principal: Principal, target: Target): boolean;
}

/** A rule for one operation: it holds if any of its terms does, and its condition. */
export interface Rule {
  words: string;
  holds(principal: Principal, target: Target): boolean;
}

const within = (principal: Principal, target: Target): boolean => principal.serverId === target.serverId;

/** A role with one of the flags; `canAdmin` implies them all. */
export const role = (...flags: Flag[]): Predicate => ({
  words: flags.join('/'),
  holds: (principal, target) => within(principal, target) && flags.some((flag) => principal.flags.has(flag)),
});

const identity = (words: string, holds: Predicate['holds']): Predicate => ({
  words,
  holds: (principal, target) => within(principal, target) && holds(principal, target),
});

export const serverAdmin: Predicate = { ...role('canAdmin'), words: 'server admin' };
export const moderator: Predicate = { ...role('canModerate'), words: 'moderator' };
export const serverCreator = identity('server creator', (principal) => principal.isServerCreator);
export const platformAdmin = identity('platform admin', (principal) => principal.platformAdmin);
export const agent = identity('agent', (principal) => principal.userType === 'agent');
export const owner = (words: string): Predicate =>
  identity(words, (principal, target) => target.ownerId === principal.userId);

/** One may join any open server oneself; the server need not be the key's. */
export const oneselfAdmitted: Predicate = {
  words: 'oneself into a public server or with a live invite',
  holds: (principal, { admission }) => admission?.open === true && admission.userId === principal.userId,
};

const disjunction = new Intl.ListFormat('en', { type: 'disjunction' });

/** Any of the terms. */
export const anyOf = (...terms: Predicate[]): Rule => ({
  words: disjunction.format(terms.map(({ words }) => words)),
  holds: (principal, target) => terms.some((term) => term.holds(principal, target)),
});

/** The rule, in a channel that is not read-only: such a one takes writes from admins and moderators alone. */
export const inWritableChannel = (rule: Rule): Rule => ({
  words: `${rule.words} (non-readonly channel; in a readonly one: server admin or moderator)`,
  holds: (principal, target) =>
    rule.holds(principal, target) && (!target.channel?.readonly || principal.flags.has('canModerate')),
});

/** The flags of which one more would be enough; `canAdmin` is named only where nothing less is. */
export function flagsNeeded(rule: Rule, principal: Principal, target: Target): Flag[] {
  const enough = flagNames.filter((flag) =>
    rule.holds({ ...principal, flags: effectiveFlags([...principal.ownFlags, flag]) }, target),
  );
  const lesser = enough.filter((flag) => flag !== 'canAdmin');
  return lesser.length > 0 ? lesser : enough;
}

/** FORBIDDEN that explains itself (decisions, part 1); it speaks of the caller's own flags only. */
export function forbidden(
  principal: Principal,
  rule: string,
  need: readonly Flag[],
  message?: string,
): ApiError {
  const help = need.length > 0 ? `this key's role lacks ${need.join(' or ')}` : 'this key may not do that';
  return new ApiError('FORBIDDEN', message ?? help, { rule, have: principal.ownFlags, need });
}
