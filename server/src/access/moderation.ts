import { condition } from './condition.ts';
import { operationText, type Resource, type Verb } from './rules.ts';

/** Conditions on moderation. They are part of `conditions`. */
export const moderation = {
  timesOut: condition<{ userId: string; isModerator: boolean }>({
    of: ['serverMember update'],
    words: 'timeoutUntil: a moderator, but not for themselves, the server creator or another moderator',
    holds: ({ userId: ownId, flags }, { userId, isModerator }) =>
      flags.has('canModerate') && userId !== ownId && !isModerator,
    refusal: ({ userId: ownId, flags }, { userId }) => {
      if (!flags.has('canModerate')) return 'only moderators can time out members';
      return userId === ownId
        ? 'you cannot time yourself out'
        : 'the owner and moderators of a server cannot be timed out. Remove their role first';
    },
    need: ({ flags }) => (flags.has('canModerate') ? [] : ['canModerate']),
  }),
  wordRules: condition<{
    isRefused: boolean;
    /** Whether the content would be held for approval, which this operation does not support. */
    isHeld: boolean;
    operation: `${Resource} ${Verb}`;
  }>({
    of: ['message insert', 'message update', 'thread insert', 'thread update'],
    words: "no words that the server's word rules refuse, unless the caller is a moderator",
    holds: (_principal, { isRefused, isHeld }) => !isRefused && !isHeld,
    refusal: (_principal, { isRefused }) =>
      isRefused
        ? 'the text contains words that this server does not allow. Remove them and try again'
        : 'some of these words need approval by a moderator. Send them in a new message without files',
    rule: ({ operation }) => `${operationText(operation)}; no words that the server's word rules refuse`,
  }),
  setsRetention: condition<object>({
    of: ['server update', 'channel update', 'channel insert'],
    words: 'retentionDays: server admin or server creator',
    holds: ({ flags, isServerCreator }) => isServerCreator || flags.has('canAdmin'),
    refusal: () => 'only admins can change how long messages are kept',
    need: () => ['canAdmin'],
  }),
};
