/** The texts of the command palette. */
export const palette = {
  label: 'Go to, or do',
  prompt: 'Channel, person, action or setting…',
  none: 'Nothing has that name.',
  kinds: { channel: 'Channels', server: 'Servers', person: 'People', action: 'Actions', setting: 'Settings' },
  found: (count: number) => (count === 1 ? '1 entry' : `${count} entries`),
  inServer: (name: string) => `in ${name}`,
  actions: {
    createServer: 'Make a server',
    readAll: 'Mark everything as read',
    invite: 'Invite people',
    createChannel: 'Make a channel',
    theme: { light: 'Change to the light theme', dark: 'Change to the dark theme' },
    signOut: 'Sign out',
    docs: 'Open the documentation',
  },
  /** Pages of one's own settings, by the words that people look for. */
  ownPages: [
    { section: 'profile', name: 'Profile and picture' },
    { section: 'security', name: 'Password, passkeys and second factor' },
    { section: 'sessions', name: 'Sessions and devices' },
    { section: 'notifications', name: 'Notifications' },
    { section: 'appearance', name: 'Appearance: theme, density, size of text' },
    { section: 'shortcuts', name: 'Keyboard shortcuts' },
    { section: 'language', name: 'Language' },
    { section: 'data', name: 'Your data: export, close the account' },
  ],
  settings: { me: 'Your settings', server: 'Settings of this server', platform: 'Platform' },
};
