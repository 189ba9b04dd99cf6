import { texts } from '../texts.ts';

/** The pages that one-time links open. */
export const links = texts({
  welcome: {
    none: 'Incomplete link',
    noneMore: 'Open the full link exactly as you received it, including the long code at the end.',
    ended: 'This link no longer works',
    endedMore: 'Links work once and for a limited time. Ask for a new one.',
    opening: 'Opening your link',
    signUpMore: "You're invited to {host}. Choose your name and username.",
    changes: "You're signed in as {name}. This link signs you in to a different account.",
    claimTitle: 'Welcome, {name}',
    purposes: {
      claim: {
        lead: 'Your account is ready. Your username is {username}. Choose a password.',
        submit: 'Set password and sign in',
      },
      password: {
        title: 'Choose a new password',
        lead: "For the account {username}. You'll be signed out everywhere else.",
        submit: 'Set password and sign in',
      },
      reset: {
        title: 'Choose a new password',
        lead: "For the account {username}. You'll be signed out everywhere else.",
        submit: 'Set password and sign in',
      },
      recovery: {
        title: 'Recover your account',
        lead: 'For the account {username}. This removes its two-factor authentication, passkeys, connected accounts and email address, and signs you out everywhere else.',
        submit: 'Set password and sign in',
      },
    },
  },
  verify: {
    title: 'Confirm your email address',
    lead: 'For the account {name} ({username}).',
    signIn: 'Sign in to the account that requested this email.',
    submit: 'Confirm email address',
    done: 'Email address confirmed',
    doneMore: "{email} is now your account's email address.",
    toAccount: 'Go to your account',
    notYours: "This link has expired, or it's for a different account than the one you're signed in to.",
  },
  claim: {
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
    taken: 'Someone has already claimed this person.',
  },
});
