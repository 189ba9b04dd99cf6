/** The texts of the menu of a server. */
export const serverMenu = {
  menu: (name: string) => `${name}: menu of the server`,
  invite: 'Invite people',
  copyLink: 'Copy link',
  readAll: 'Mark everything as read',
  settings: 'Server settings',
  leave: 'Leave the server',
  leaveAsk: (name: string) => `Leave ${name}?`,
  copied: 'Copied',
  leaveMore: 'You come back only by a new invite.',
};
