import { condition } from './condition.ts';

/** Conditions by which moderators keep a server in order. */
export const moderation = {
  timesOut: condition<{ userId: string; isModerator: boolean }>({
    of: ['serverMember update'],
    words: 'timeoutUntil: by a moderator, not of themselves, the server creator or another moderator',
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
};
