import { plural } from '../format.ts';

/** The texts of the pages that lead in, and of the question who somebody is. */
export const session = {
  brand: 'Palaver',
  docs: 'Documentation',
  developers: 'For developers',
  toStart: 'To the start page',
  toServers: 'To your servers',
  or: 'or',
  password: 'Password',
  newPassword: 'New password',
  signInWith: (provider: string) => `Sign in with ${provider}`,
  start: {
    tab: 'Welcome',
    title: 'A place for your people to talk',
    lead: 'Channels, threads and files for your community or team, on a server of your own.',
    points: {
      talk: {
        title: 'Conversations that stay in order',
        text: 'Channels by topic, threads beside them, and everything that was said is found again.',
      },
      own: {
        title: 'It stays here',
        text: 'Messages and files are with those who run this server, and with nobody else.',
      },
      build: {
        title: 'Programs take part, too',
        text: 'Bots, hooks and scripts use the same interface as this page does.',
      },
    },
  },
  leave: {
    title: 'Sign out?',
    unsent: (count: number) =>
      plural(count, {
        one: 'A message is not sent yet. It is lost if you sign out.',
        other: '# messages are not sent yet. They are lost if you sign out.',
      }),
    action: 'Sign out',
  },
  signIn: {
    title: 'Sign in',
    submit: 'Sign in',
    lead: (host: string) => `To your account at ${host}`,
    toSee: 'This page is for people who are signed in.',
    lapsed: 'Your session has ended. Sign in again to go on where you were.',
    name: 'Username or e-mail address',
    forgot: 'Forgot your password?',
  },
  signUp: {
    title: 'Create an account',
    submit: 'Create account',
    lead: (host: string) => `Your account is for ${host} alone.`,
    newHere: 'New here?',
    hasAccount: 'You have an account already?',
    notOpen: { invite: 'You need an invite', closed: 'You need a link' },
    /** How one gets in instead, where not everybody may sign up. */
    how: {
      invite: 'A member can send you a link to their server. Open it, and you are in.',
      closed: 'New accounts are made by those who run this server. Ask them for a link.',
    },
    byWhom: {
      open: '',
      invite: 'New here? You need an invite: a member can send you a link to their server.',
      closed: 'New accounts are made by those who run this server. Ask them for a link.',
    },
  },
  username: {
    label: 'Username',
    rule: 'Small letters from a to z, digits, and _ . -',
    wrong: 'Use small letters from a to z, digits, and _ . - only.',
  },
  name: {
    label: 'Your name',
    hint: 'As others see it. Without one, they see your username.',
  },
  strength: {
    rule: (least: number) =>
      plural(least, {
        one: 'At least # character.',
        other: 'At least # characters. Several words are good.',
      }),
    more: (missing: number) =>
      plural(missing, { one: '# more character is needed.', other: '# more characters are needed.' }),
    isName: 'This is your username. Choose something that nobody guesses.',
    enough: 'Long enough. Longer is better.',
  },
  code: {
    title: 'One more step',
    label: 'Code',
    why: 'Open your authenticator app, and enter the code that it shows for Palaver.',
    hint: 'Six digits, or one of your recovery codes',
  },
  passkey: {
    signIn: 'Sign in with a passkey',
    stopped: 'No passkey was used. Try again, or use another way.',
    hasOne: 'This device has a passkey for your account already.',
    failed: 'Your browser could not use a passkey here.',
  },
  notProven: 'Nothing was changed: you have not confirmed that it is you.',
  invite: {
    title: 'An invite',
    to: (server: string) => `Join ${server}`,
    members: (count: number) =>
      plural(count, { zero: 'Nobody is in it yet', one: '# member', other: '# members' }),
    by: (name: string) => `${name} invites you`,
    gone: 'This invite does not exist',
    goneMore: 'It was removed, or the link is not whole. Ask whoever sent it for another.',
    ended: 'This invite has expired, or was used up. Ask whoever sent it for another.',
    join: (server: string) => `Join ${server}`,
    as: (name: string) => `You are signed in as ${name}.`,
    isMember: 'You are a member already.',
    open: (server: string) => `Open ${server}`,
    banned: 'You are banned from this server. Its moderators can lift the ban.',
    hasAccount: 'I have an account',
    hasNone: 'I am new here',
  },
  welcome: {
    none: 'No link here',
    noneMore: 'Open the whole link, as you were sent it. It has a long word at its end.',
    ended: 'This link no longer works',
    endedMore: 'It works once, and for a limited time. Ask whoever sent it for another.',
    opening: 'Opening your link',
    signUp: 'Welcome',
    signUpMore: (host: string) => `You are invited to ${host}. Choose how you want to be known.`,
    changes: (name: string) => `You are signed in as ${name}. This link signs you in to another account.`,
    claimTitle: (name: string) => `Welcome, ${name}`,
    purposes: {
      claim: {
        lead: (username: string) =>
          `Your account is there: your username is ${username}. Choose a password for it.`,
        submit: 'Set password and sign in',
      },
      password: {
        title: 'Choose a new password',
        lead: (username: string) => `For the account ${username}. You will be signed out everywhere else.`,
        submit: 'Set password and sign in',
      },
      reset: {
        title: 'Choose a new password',
        lead: (username: string) => `For the account ${username}. You will be signed out everywhere else.`,
        submit: 'Set password and sign in',
      },
      recovery: {
        title: 'Get your account back',
        lead: (username: string) =>
          `For the account ${username}. Its second factor, passkeys, accounts at providers and e-mail address are removed, and you are signed out everywhere else.`,
        submit: 'Set password and sign in',
      },
    },
  },
  verify: {
    title: 'Confirm your e-mail address',
    lead: (name: string, username: string) => `It becomes the address of ${name} (${username}).`,
    signIn: 'Sign in to the account that asked for this mail.',
    submit: 'Confirm address',
    done: 'Your address is confirmed',
    doneMore: (email: string) => `${email} is now the address of your account.`,
    toAccount: 'To your account',
    notYours:
      'This link is no longer good, or it is for another account than the one in which you are signed in.',
  },
  reset: {
    title: 'Forgot your password?',
    lead: 'Enter your username or your e-mail address. If the account has a confirmed address, it gets a link for a new password.',
    submit: 'Send the link',
    back: 'Back to sign in',
    sent: 'Look into your mail',
    sentMore: (name: string) =>
      `If there is an account ${name} with a confirmed address, a link is on its way.`,
    nothingCame:
      'It is good for an hour. If nothing comes, look into your spam, or ask whoever runs this server.',
    noMails: 'This server sends no mails. Whoever runs it can make you a link for a new password.',
    operator: 'They make it with this command, or on the page for administrators:',
  },
  callback: {
    title: 'Signing in',
    moment: 'One moment…',
    nothing: 'There is nothing to complete here.',
    newHere: 'Choose your username',
    newHereMore: 'You are new here. This is how others find and mention you.',
    invite: 'Invite',
    inviteHint: 'The link that a member has sent you, if you have one',
  },
  device: {
    title: 'Connect an app',
    lead: 'Enter the code that the app shows.',
    signIn: 'Sign in first. Then you can let the app in.',
    code: 'Code',
    app: 'App',
    device: 'Device',
    address: 'Address',
    sameAddress: (address: string) => `${address}, the same as yours`,
    goOn: 'Continue',
    unknown:
      'There is no app that waits with this code. Codes are good for ten minutes: look at the app for a new one.',
    asks: (app: string) => `${app} wants to use your account`,
    asWhom: (name: string, username: string) =>
      `It could read and write as ${name} (${username}), until you sign it out.`,
    warning:
      'Nobody has checked these names. Approve only an app that you have started yourself, and that shows this code.',
    warningElsewhere:
      'The app asks from another address than yours. Nobody has checked these names. If somebody has sent you this code, deny it: they would have your account.',
    approve: 'Approve',
    deny: 'Deny',
    approved: 'The app is connected',
    approvedMore: 'You can close this page, and go on in the app.',
    toSessions: 'See where you are signed in',
    denied: 'The app was denied',
    deniedMore: 'It has nothing of yours.',
  },
  authorize: {
    wrong: 'This app has asked in a wrong way',
    wrongMore:
      'The address is not whole, or leads to another machine than yours. Nothing was given to the app.',
    signIn: (app: string) => `${app} wants to use your account. Sign in first.`,
    place: 'Runs on',
    thisMachine: (port: string) => `This machine, at port ${port}`,
    warning: 'Nobody has checked this name. Approve only an app that you have just started yourself.',
    done: 'Go back to the app',
    doneMore: (app: string) => `You can close this page, and go on in ${app}.`,
  },
};
