import type { serverMenu as english } from '../en/serverMenu.ts';

export const serverMenu: typeof english = {
  menu: (name) => `${name}: Menü des Servers`,
  invite: 'Leute einladen',
  copyLink: 'Link kopieren',
  readAll: 'Alles als gelesen markieren',
  settings: 'Servereinstellungen',
  leave: 'Server verlassen',
  leaveAsk: (name) => `${name} verlassen?`,
  copied: 'Kopiert',
  leaveMore: 'Zurück kommst du nur mit einer neuen Einladung.',
};
