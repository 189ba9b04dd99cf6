import { condition } from './condition.ts';

/** Conditions on the blocks and commands of agents. They are part of `conditions`. */
export const agentConditions = {
  acts: condition<object>({
    of: ['interaction insert'],
    words: 'by people',
    // Otherwise, an agent could approve its own request.
    holds: ({ userType }) => userType === 'person',
    refusal: () => 'only people can act on blocks and use commands',
  }),
  decides: condition<{ isDecider: boolean }>({
    of: ['interaction insert'],
    words: 'in an approval: its deciders',
    holds: (_principal, { isDecider }) => isDecider,
    refusal: () => 'you are not asked to decide this',
  }),
  blocks: condition<{ isAuthor: boolean }>({
    of: ['message insert', 'message update'],
    words: 'blocks: agents, in their own messages',
    // Only agents receive button clicks. People do not, even if a key or an app acts for them.
    holds: ({ userType }, { isAuthor }) => userType === 'agent' && isAuthor,
    refusal: ({ userType }) =>
      userType === 'agent'
        ? 'only the author of a message can change its blocks'
        : 'only agents can send blocks. Use the API key of an agent',
  }),
};
