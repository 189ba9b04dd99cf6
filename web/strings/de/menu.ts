import type { menu as english } from '../en/menu.ts';

export const menu: typeof english = {
  menu: (name) => `${name}: dein Menü`,
  palette: 'Hingehen oder tun …',
  settings: 'Deine Einstellungen',
  platform: 'Plattform',
  docs: 'Dokumentation',
  signOut: 'Abmelden',
};
