import type * as english from '../en/menus.ts';
import { texts } from '../texts.ts';

export const channelList: typeof english.channelList = texts({
  label: 'Optionen der Kanalliste',
  browse: 'Kanäle durchsuchen',
  unreadFirst: 'Ungelesene zuerst',
  find: 'Kanäle nach Name oder Beschreibung suchen',
  all: 'Kanäle dieses Servers',
  join: 'Beitreten',
  leave: 'Verlassen',
  left: 'Du hast #{name} verlassen',
});

export const channelMenu: typeof english.channelMenu = texts({
  label: 'Menü von {name}',
  threads: 'Threads',
  toDate: 'Zu einem Datum …',
  markRead: 'Als gelesen markieren',
  favorite: 'Zu den Favoriten hinzufügen',
  unfavorite: 'Aus den Favoriten entfernen',
  leave: 'Kanal verlassen',
  rename: 'Unterhaltung bearbeiten',
  settings: 'Kanaleinstellungen',
});

export const forward: typeof english.forward = texts({
  title: 'Nachricht weiterleiten',
  lead: 'Deine Nachricht enthält einen Link. Nur wer das Original sehen kann, sieht eine Vorschau.',
  find: 'Kanäle, Threads und Personen suchen',
  findMore: 'Du kannst bis zu {most} auswählen.',
  places: 'Senden an',
  nowhere: 'Wähle mindestens einen Kanal, einen Thread oder eine Person aus.',
  comment: 'Kommentar',
  submit: 'Weiterleiten',
  done: 'Nachricht weitergeleitet',
  thread: 'Thread in {name}',
  person: 'Direktnachricht',
});

export const invitation: typeof english.invitation = texts({
  invited: 'Einladung zu {name}',
  title: 'Du bist eingeladen',
  by: '{name} (@{username}) lädt dich ein, diesem Server beizutreten.',
  byFormerMember: 'Ein ehemaliges Mitglied lädt dich ein, diesem Server beizutreten.',
  members: '{count, plural, one {# Mitglied} other {# Mitglieder}}',
  more: 'Wenn du ablehnst, kann dieser Server dich ein Jahr lang nicht erneut einladen. Die Einladung läuft am {day} ab.',
  gone: 'Diese Einladung gilt nicht mehr.',
  accept: 'Annehmen',
  decline: 'Ablehnen',
});

export const invite: typeof english.invite = texts({
  lead: 'Erstelle einen Link zum Teilen. Wer ihn öffnet, kann sich registrieren oder anmelden und beitreten.',
  span: 'Läuft ab nach',
  hours: '{hours, plural, one {1 Stunde} other {# Stunden}}',
  days: '{days, plural, one {1 Tag} other {# Tagen}}',
  ever: 'Nie',
  uses: 'Höchstzahl der Nutzungen',
  people: '{count, plural, one {1 Person} other {# Personen}}',
  anybody: 'Unbegrenzt',
  make: 'Link erstellen',
  share: 'Diesen Link teilen',
  ready: 'Schicke ihn den Leuten, die du einladen möchtest, oder lass sie den Code scannen.',
  code: 'QR-Code der Einladung',
  all: 'Alle Einladungen ansehen',
});

export const level: typeof english.level = texts({
  mute: 'Stummschalten',
  muted: 'Stummgeschaltet',
  muteFor: {
    hour: 'Für eine Stunde',
    morning: 'Für 8 Stunden',
    day: 'Für 24 Stunden',
    always: 'Bis ich es aufhebe',
  },
  unmute: 'Stummschaltung aufheben',
  levels: {
    all: 'Allen Nachrichten',
    mentions: 'Erwähnungen',
    nothing: 'Nichts',
  },
  asServer: 'Standard des Servers',
});

export const linked: typeof english.linked = texts({
  loading: 'Die verlinkte Nachricht wird geladen',
  gone: 'Diese Nachricht wurde gelöscht, oder du kannst sie nicht sehen',
});

export const newMessage: typeof english.newMessage = texts({
  server: 'Server',
  open: 'Unterhaltung öffnen',
  find: 'Personen suchen',
  findMore: 'Du kannst bis zu {most, plural, one {# Person} other {# Personen}} auswählen.',
  addMore:
    'Damit beginnt eine neue Unterhaltung ohne die früheren Nachrichten. Die aktuelle bleibt unverändert. Haben diese Personen schon eine Unterhaltung, wird sie geöffnet.',
  full: 'Eine Unterhaltung hat höchstens 10 Personen',
  people: 'Personen',
  selected: 'Ausgewählt',
  chosen: '{count, plural, =0 {Niemand ausgewählt} one {# Person ausgewählt} other {# Personen ausgewählt}}',
  nobodyChosen: 'Wähle mindestens eine Person aus.',
});

export const palette: typeof english.palette = texts({
  label: 'Suche und Befehle',
  prompt: 'Kanal, Person, Aktion, Einstellung, Datum oder Link …',
  found: '{count, plural, one {# Treffer} other {# Treffer}}',
  inServer: 'auf {name}',
  toDay: 'Zum {day}',
  link: {
    message: 'Zur verlinkten Nachricht',
    thread: 'Zum verlinkten Thread',
    place: 'Link öffnen',
  },
  actions: {
    readAll: 'Alle als gelesen markieren',
    theme: {
      light: 'Zum hellen Design wechseln',
      dark: 'Zum dunklen Design wechseln',
    },
    density: {
      cosy: 'Zur Dichte „Gemütlich“ wechseln',
      compact: 'Zur Dichte „Kompakt“ wechseln',
    },
    status: 'Status: {status}',
    docs: 'Dokumentation öffnen',
  },
  panels: {
    pins: 'Angepinnte Nachrichten',
    members: 'Mitglieder',
    search: 'Nachrichten suchen',
    threads: 'Threads',
    inbox: 'Posteingang: Benachrichtigungen',
  },
  channel: {
    toDate: 'Zu einem Datum: hier eingeben oder auswählen',
    read: 'Kanal als gelesen markieren',
    mute: 'Kanal stummschalten',
    unmute: 'Stummschaltung des Kanals aufheben',
    copyLink: 'Link zum Kanal kopieren',
    favorite: 'Kanal zu den Favoriten hinzufügen',
    unfavorite: 'Kanal aus den Favoriten entfernen',
    leave: 'Kanal verlassen',
    join: 'Kanal beitreten',
  },
  serverPages: {
    overview: 'Übersicht: Name, Symbol, Banner',
    channels: 'Kanäle: Reihenfolge, Kategorien, privat, schreibgeschützt',
    roles: 'Rollen und Berechtigungen',
    emoji: 'Emoji: eigene Emoji hinzufügen',
    members: 'Mitglieder: Rollen, Spitznamen, kicken',
    invites: 'Einladungen: Links und QR-Codes',
    bans: 'Banns',
    reports: 'Meldungen: von Mitgliedern gemeldete Nachrichten',
    held: 'Zurückgehaltene Nachrichten: freigeben oder ablehnen',
    words: 'Wortregeln: Nachrichten zurückhalten oder blockieren',
    keys: 'API-Schlüssel für Bots und Skripte',
    webhooks: 'Webhooks: eingehend und ausgehend',
    apps: 'Apps und ihre Geheimnisse',
    flows: 'Flows',
    audit: 'Audit-Log',
    usage: 'Nutzung: Nachrichten, Anfragen, Grenzen',
    exports: 'Exporte: Nachrichten und Dateien herunterladen',
    danger: 'Gefahrenzone: Server übertragen oder löschen',
  },
  platformPages: {
    health: 'Zustand: Kennzahlen und Diagnose',
    users: 'Konten',
    servers: 'Server',
    apps: 'Prüfung von Apps',
    imports: 'Importe aus anderen Produkten',
    holds: 'Rechtliche Aufbewahrung',
    settings: 'Einstellungen der Plattform',
    audit: 'Audit-Log der Plattform',
  },
  ownPages: {
    profile: 'Profil und Bild',
    privacy: 'Privatsphäre: wer dir schreiben kann, blockierte Personen',
    security: 'Passwort, Passkeys und Zwei-Faktor-Anmeldung',
    sessions: 'Sitzungen und Geräte',
    history: 'Verlauf des Kontos: Anmeldungen und Änderungen',
    notifications: 'Benachrichtigungen',
    appearance: 'Darstellung: Design, Dichte, Schriftgröße',
    shortcuts: 'Tastenkürzel',
    language: 'Sprache',
    data: 'Deine Daten: exportieren, Konto schließen',
  },
  laterPages: {
    saved: 'Gespeicherte Nachrichten und Erinnerungen',
    scheduled: 'Geplante Nachrichten',
  },
  settings: {
    server: 'Servereinstellungen',
    of: 'Einstellungen von {server}',
    platform: 'Plattform',
  },
});

export const renaming: typeof english.renaming = texts({
  title: 'Unterhaltung bearbeiten',
  hint: 'Alle in der Unterhaltung sehen diesen Namen.',
  picture: 'Bild',
  pictureHint: 'Alle in der Unterhaltung sehen es.',
  choose: 'Bild hochladen',
  change: 'Bild ändern',
  take: 'Bild entfernen',
});

export const serverMenu: typeof english.serverMenu = texts({
  menu: '{name}: Servermenü',
  readAll: 'Alle als gelesen markieren',
  settings: 'Servereinstellungen',
  browse: 'Kanäle durchsuchen',
  leave: 'Server verlassen',
  leaveAsk: '{name} verlassen?',
  leaveMore: 'Für die Rückkehr brauchst du vielleicht eine Einladung.',
});
