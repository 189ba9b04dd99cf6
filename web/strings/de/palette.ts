import type { palette as english } from '../en/palette.ts';
import { plural } from '../format.ts';

export const palette: typeof english = {
  label: 'Hingehen oder tun',
  prompt: 'Kanal, Person, Aktion oder Einstellung …',
  none: 'Nichts heißt so.',
  kinds: {
    channel: 'Kanäle',
    server: 'Server',
    person: 'Personen',
    action: 'Aktionen',
    setting: 'Einstellungen',
  },
  found: (count) => plural(count, { one: '# Eintrag', other: '# Einträge' }),
  inServer: (name) => `auf ${name}`,
  actions: {
    createServer: 'Server erstellen',
    readAll: 'Alles als gelesen markieren',
    invite: 'Leute einladen',
    createChannel: 'Kanal erstellen',
    theme: { light: 'Zum hellen Design wechseln', dark: 'Zum dunklen Design wechseln' },
    signOut: 'Abmelden',
    docs: 'Dokumentation öffnen',
  },
  ownPages: [
    { section: 'profile', name: 'Profil und Bild' },
    { section: 'security', name: 'Passwort, Passkeys und zweiter Faktor' },
    { section: 'sessions', name: 'Sitzungen und Geräte' },
    { section: 'notifications', name: 'Benachrichtigungen' },
    { section: 'appearance', name: 'Darstellung: Design, Dichte, Schriftgröße' },
    { section: 'shortcuts', name: 'Tastenkürzel' },
    { section: 'language', name: 'Sprache' },
    { section: 'data', name: 'Deine Daten: exportieren, Konto schließen' },
  ],
  settings: { me: 'Deine Einstellungen', server: 'Einstellungen dieses Servers', platform: 'Plattform' },
};
