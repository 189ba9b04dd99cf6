/** The texts around everything else. */
export const app = {
  name: 'Palaver',
  loading: 'Loading…',
  unreachable: 'The server does not answer.',
  unreachableMore: 'Your messages are safe. This page tries again by itself.',
  tryAgain: 'Try again',
  missing: 'There is nothing at this address',
  missingMore: 'It may have been deleted, or you may not see it.',
  home: 'Go to the start',
};
