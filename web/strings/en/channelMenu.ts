/** The texts of the menu of a channel. */
export const channelMenu = {
  label: (name: string) => `Menu of ${name}`,
  pins: 'Pinned messages',
  threads: 'Threads',
  toDate: 'Go to a date…',
  markRead: 'Mark as read',
  settings: 'Channel settings',
  copyLink: 'Copy link',
  copied: 'Copied',
};
