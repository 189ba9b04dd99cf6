import type { channelMenu as english } from '../en/channelMenu.ts';

export const channelMenu: typeof english = {
  label: (name) => `Menü von ${name}`,
  pins: 'Angepinnte Nachrichten',
  threads: 'Threads',
  toDate: 'Zu einem Datum…',
  markRead: 'Als gelesen markieren',
  settings: 'Kanaleinstellungen',
  copyLink: 'Link kopieren',
  copied: 'Kopiert',
};
