import { texts } from '../texts.ts';

/** Claiming an imported person with a link. */
export const claims = texts({
  title: 'Claim {name}',
  as: "You're signed in as {name} ({username}).",
  what: "This moves {name}'s messages, files and memberships to your account. It can't be undone.",
  submit: 'Claim with this account',
  other: 'Use a different account',
  hasAccount: 'I already have an account',
  separate: 'Create a new account instead',
  signIn: 'Sign in to claim {name} with your account.',
  done: 'You claimed {name}',
  doneMore: 'The messages move to your account in the background. Large histories can take a few minutes.',
  taken: 'Someone has already claimed this user.',
});
