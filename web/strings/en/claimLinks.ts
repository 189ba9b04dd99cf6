import { texts } from '../texts.ts';

/** Links that let imported people claim their account. */
export const claimLinks = texts({
  title: 'Claim links',
  lead: 'Send each person their link. It can be used once within seven days, and gives access to their messages. A new link replaces the previous one.',
  search: 'Search by username or name',
  none: 'No unclaimed people',
  noneMore: 'All imported people in this server have been claimed.',
  copyOf: 'Copy link for {name}',
  copied: 'Link for {name} copied.',
  gone: 'Someone has already claimed {name}.',
  until: 'Link expires on {when}',
  download: 'Download links as CSV',
  progress: '{count, plural, one {# link created} other {# links created}}',
});
