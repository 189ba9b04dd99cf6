import { texts } from '../texts.ts';

/** The permissions, by the names of the specification. */
export const permissions = texts({
  canAdmin: 'Administrator',
  canEditServer: 'Manage server',
  canEditChannel: 'Manage channels',
  canEditData: 'Participate',
  canModerate: 'Moderate',
  canEditApp: 'Manage integrations',
  canViewData: 'View integrations',
});

/** A permission in a sentence. */
export const sentence = texts({
  permission: '“{name}”',
});
