import type * as english from '../en/common.ts';
import { texts } from '../texts.ts';

export const app: typeof english.app = texts({
  name: 'Palaver',
  unreachable: 'Der Server antwortet nicht.',
  unreachableMore: 'Deine Nachrichten sind sicher. Diese Seite versucht es von selbst wieder.',
  missing: 'Unter dieser Adresse gibt es nichts',
  missingMore: 'Vielleicht wurde es gelöscht, oder du darfst es nicht sehen.',
  home: 'Zum Anfang',
});

export const common: typeof english.common = texts({
  description: 'Beschreibung',
  viewOnly: 'Du kannst das ansehen, aber nicht ändern.',
  waiting: 'Wartet',
  invitePeople: 'Leute einladen',
  copyLink: 'Link kopieren',
  app: 'App',
  name: 'Name',
  remove: 'Entfernen',
  signOut: 'Abmelden',
  yourSettings: 'Deine Einstellungen',
  pins: 'Angepinnte Nachrichten',
  createChannel: 'Kanal erstellen',
  createServer: 'Server erstellen',
  servers: 'Server',
  removeNamed: '{name} entfernen',
  delete: 'Löschen',
  agent: 'Agent',
  somebody: 'Jemand',
  more: 'Mehr zeigen',
  back: 'Zurück',
  tryAgain: 'Erneut versuchen',
  loading: 'Wird geladen …',
  copied: 'Kopiert',
  save: 'Speichern',
  cancel: 'Abbrechen',
  close: 'Schließen',
});

export const settings: typeof english.settings = texts({
  showOf: 'Mehr zeigen: {shown} von {all} sind hier',
  found: '{count, plural, =0 {Keine gefunden} one {# gefunden} other {# gefunden}}',
  nothing: 'Nichts gefunden',
  nothingMore: 'Versuche es mit weniger Wörtern oder mit Teilen davon.',
  noPicture: 'Diese Datei ist kein Bild, das gezeigt werden kann: Wähle PNG, JPEG, GIF oder WebP.',
  tooLarge: 'Dieses Bild ist größer als 5 MB. Wähle ein kleineres.',
});

export const ui: typeof english.ui = texts({
  dismiss: 'Ausblenden',
  copy: 'Kopieren',
  copyFailed: 'Dein Browser lässt diese Seite nicht kopieren. Markiere den Text, und kopiere ihn selbst.',
  notifications: 'Benachrichtigungen',
  optional: 'optional',
  showPassword: 'Passwort zeigen',
  hidePassword: 'Passwort verbergen',
  presence: {
    online: 'Online',
    idle: 'Abwesend',
    dnd: 'Bitte nicht stören',
    offline: 'Offline',
  },
  typeToConfirm: 'Gib zur Bestätigung {text} ein',
  typeExactly: 'Gib genau das ein: {text}',
  left: '{count, plural, one {noch # Zeichen} other {noch # Zeichen}}',
  over: '{count, plural, one {# Zeichen zu viel} other {# Zeichen zu viel}}',
  errors: {
    missing: 'Fülle dieses Feld aus.',
    tooShort: '{least, plural, one {Nimm mindestens # Zeichen.} other {Nimm mindestens # Zeichen.}}',
    tooLong: '{most, plural, one {Nimm höchstens # Zeichen.} other {Nimm höchstens # Zeichen.}}',
    tooSmall: 'Das Mindeste ist {least}.',
    tooLarge: 'Das Höchste ist {most}.',
    email: 'Gib eine Adresse wie name@example.org ein.',
    url: 'Gib eine Adresse ein, die mit https:// beginnt',
    form: 'Das hat nicht die richtige Form.',
    noAnswer: 'Der Server hat nicht geantwortet. Prüfe deine Verbindung, und versuche es erneut.',
    tooOften:
      '{seconds, plural, one {Das war zu oft. Versuche es in # Sekunde erneut.} other {Das war zu oft. Versuche es in # Sekunden erneut.}}',
    unexpected: 'Das hat nicht geklappt. Versuche es erneut.',
    page: 'Dieser Teil der Seite ist gescheitert.',
    newVersion: 'Es gibt eine neuere Version dieser Seite.',
    reload: 'Neu laden',
  },
});
