import { texts } from '../texts.ts';

/** Permissions, by their names in the specification. */
export const permissions = texts({
  canAdmin: 'Administrator',
  canEditServer: 'Manage server',
  canEditChannel: 'Manage channels',
  canEditData: 'Participate',
  canModerate: 'Moderate',
  canEditApp: 'Manage integrations',
  canViewData: 'View integrations',
});

/** A permission's name, as used in a sentence. */
export const sentence = texts({
  permission: '“{name}”',
});
