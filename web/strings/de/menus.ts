import type * as english from '../en/menus.ts';
import { texts } from '../texts.ts';

export const channelMenu: typeof english.channelMenu = texts({
  label: 'Menü von {name}',
  threads: 'Threads',
  toDate: 'Zu einem Datum…',
  markRead: 'Als gelesen markieren',
  settings: 'Kanaleinstellungen',
});

export const invite: typeof english.invite = texts({
  lead: 'Du bekommst einen Link zum Weitergeben. Wer ihn öffnet, registriert sich oder meldet sich an und ist Mitglied.',
  span: 'Der Link gilt',
  hours: '{hours, plural, one {Eine Stunde} other {# Stunden}}',
  days: '{days, plural, one {Einen Tag} other {# Tage}}',
  ever: 'Bis ihn jemand widerruft',
  uses: 'Er lässt herein',
  people: '{count, plural, one {Eine Person} other {# Personen}}',
  anybody: 'Alle, die ihn haben',
  make: 'Link erstellen',
  share: 'Diesen Link schicken',
  ready: 'Schicke ihn den Leuten, die du hier haben möchtest, oder lass ein Telefon den Code scannen.',
  code: 'QR-Code der Einladung',
  all: 'Alle Einladungen des Servers',
});

export const level: typeof english.level = texts({
  mute: 'Stummschalten',
  muted: 'Stummgeschaltet',
  muteFor: {
    hour: 'Für eine Stunde',
    morning: 'Für 8 Stunden',
    day: 'Für einen Tag',
    always: 'Bis ich es aufhebe',
  },
  unmute: 'Stummschaltung aufheben',
  level: 'Benachrichtigen bei',
  levels: {
    all: 'Allen Nachrichten',
    mentions: 'Erwähnungen',
    nothing: 'Nichts',
  },
  asServer: 'Wie beim Server',
});

export const palette: typeof english.palette = texts({
  label: 'Hingehen oder tun',
  prompt: 'Kanal, Person, Aktion, Einstellung, Datum oder Link…',
  none: 'Nichts heißt so.',
  found: '{count, plural, one {# Eintrag} other {# Einträge}}',
  inServer: 'auf {name}',
  toDay: 'Zum {day}',
  link: {
    message: 'Zur Nachricht dieses Links',
    thread: 'Zum Thread dieses Links',
    place: 'Dorthin, wohin dieser Link führt',
  },
  actions: {
    readAll: 'Alles als gelesen markieren',
    theme: {
      light: 'Zum hellen Design wechseln',
      dark: 'Zum dunklen Design wechseln',
    },
    density: {
      cosy: 'Zur gemütlichen Dichte wechseln',
      compact: 'Zur kompakten Dichte wechseln',
    },
    status: 'Status: {status}',
    docs: 'Dokumentation öffnen',
  },
  panels: {
    pins: 'Angepinnte Nachrichten',
    members: 'Mitglieder',
    search: 'Nachrichten suchen',
    threads: 'Threads',
    inbox: 'Posteingang: Erwähnungen und Antworten',
  },
  channel: {
    toDate: 'Zu einem Datum: hier eingeben oder auswählen',
    read: 'Diesen Kanal als gelesen markieren',
    mute: 'Diesen Kanal stummschalten',
    unmute: 'Diesen Kanal wieder laut schalten',
    copyLink: 'Link zu diesem Kanal kopieren',
  },
  serverPages: {
    overview: 'Übersicht: Name, Symbol, Banner',
    channels: 'Kanäle: Reihenfolge, privat, nur lesen',
    roles: 'Rollen und Rechte',
    members: 'Mitglieder: Rollen, Spitznamen, entfernen',
    invites: 'Einladungen: Links und QR-Codes',
    bans: 'Banns',
    keys: 'API-Schlüssel für Bots und Skripte',
    webhooks: 'Webhooks, ausgehend und eingehend',
    apps: 'Apps und ihre Geheimnisse',
    flows: 'Flows',
    audit: 'Audit-Log',
    usage: 'Nutzung: Nachrichten, Anfragen, Grenzen',
    danger: 'Gefahrenzone: Server übergeben oder löschen',
  },
  platformPages: {
    health: 'Zustand: Kennzahlen und Diagnose',
    users: 'Konten',
    servers: 'Server',
    apps: 'Prüfung von Apps',
    settings: 'Einstellungen der Plattform, mit ihrer Quelle',
    audit: 'Audit-Log der Plattform',
  },
  ownPages: {
    profile: 'Profil und Bild',
    security: 'Passwort, Passkeys und zweiter Faktor',
    sessions: 'Sitzungen und Geräte',
    notifications: 'Benachrichtigungen',
    appearance: 'Darstellung: Design, Dichte, Schriftgröße',
    shortcuts: 'Tastenkürzel',
    language: 'Sprache',
    data: 'Deine Daten: exportieren, Konto schließen',
  },
  settings: {
    server: 'Einstellungen dieses Servers',
    of: 'Einstellungen von {server}',
    platform: 'Plattform',
  },
});

export const serverMenu: typeof english.serverMenu = texts({
  menu: '{name}: Menü des Servers',
  readAll: 'Alles als gelesen markieren',
  settings: 'Servereinstellungen',
  leave: 'Server verlassen',
  leaveAsk: '{name} verlassen?',
  leaveMore: 'Zurück kommst du nur mit einer neuen Einladung.',
});
