/** The texts of one's own menu. */
export const menu = {
  menu: (name: string) => `${name}: your menu`,
  palette: 'Go to, or do…',
  settings: 'Your settings',
  platform: 'Platform',
  docs: 'Documentation',
  signOut: 'Sign out',
};
