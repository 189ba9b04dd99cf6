/** The question who somebody is. */
export const proof = {
  title: 'Is it you?',
  why: 'Before this change, confirm that it is you. It holds for ten minutes.',
  confirm: 'Confirm',
  byPasskey: 'Confirm with a passkey',
  passkeyElsewhere: 'Your passkeys cannot be used at this address of the server. Open it by its name.',
  orByProvider: 'Or sign in once more, and then do it again:',
  byProvider: 'You have no password here. Sign in once more, and then do it again:',
  orByPassword: 'Or choose a password, and then do it again.',
  byNothing: 'Your account has neither a password nor a passkey. Choose a password, and then do it again.',
  byOperator:
    'Those who run this server give you a link for that, on the page for administrators, or with this command:',
  sendLink: (email: string) => `Send a link to ${email}`,
  sent: (email: string) =>
    `A link is on its way to ${email}, and is good for an hour. Open it in this browser, choose a password, and then do it again.`,
};
