import type * as english from '../en/common.ts';
import { texts } from '../texts.ts';

export const app: typeof english.app = texts({
  name: 'Palaver',
  unreachable: 'Server nicht erreichbar',
  unreachableMore: 'Deine Nachrichten sind sicher. Wir versuchen weiter, eine Verbindung herzustellen.',
  missing: 'Seite nicht gefunden',
  missingMore: 'Vielleicht wurde sie gelöscht, oder du hast keinen Zugriff.',
  home: 'Zur Startseite',
});

export const common: typeof english.common = texts({
  refresh: 'Aktualisieren',
  preview: 'Vorschau',
  username: 'Benutzername',
  noResults: 'Keine Treffer',
  notifications: 'Benachrichtigungen',
  description: 'Beschreibung',
  viewOnly: 'Du kannst das ansehen, aber nicht bearbeiten.',
  invitePeople: 'Leute einladen',
  copyLink: 'Link kopieren',
  app: 'App',
  name: 'Name',
  private: 'Privat',
  deleteNamed: '{name} löschen',
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
  lookAlike: 'Ähnlicher Name',
  somebody: 'Jemand',
  more: 'Mehr anzeigen',
  back: 'Zurück',
  tryAgain: 'Erneut versuchen',
  loading: 'Wird geladen …',
  date: 'Datum',
  copied: 'Kopiert',
  files: '{count, plural, one {Datei: } other {Dateien: }}{names, list}',
  download: 'Herunterladen',
  save: 'Speichern',
  cancel: 'Abbrechen',
  close: 'Schließen',
});

export const permissions: typeof english.permissions = texts({
  canAdmin: 'Administration',
  canEditServer: 'Server verwalten',
  canEditChannel: 'Kanäle verwalten',
  canEditData: 'Mitmachen',
  canModerate: 'Moderieren',
  canEditApp: 'Integrationen verwalten',
  canViewData: 'Integrationen ansehen',
});

export const retentionField: typeof english.retentionField = texts({
  label: 'Nachrichten löschen nach (Tage)',
});

export const sentence: typeof english.sentence = texts({
  permission: '„{name}“',
});

export const settings: typeof english.settings = texts({
  showOf: 'Mehr anzeigen ({shown} von {all})',
  found: '{count, plural, =0 {Keine Treffer} one {# Treffer} other {# Treffer}}',
  nothingMore: 'Versuche es mit weniger oder kürzeren Wörtern.',
  noPicture: 'Dieses Bildformat wird nicht unterstützt. Wähle PNG, JPEG, GIF oder WebP.',
  tooLarge: 'Dieses Bild ist größer als 5 MB. Wähle ein kleineres.',
});

export const ui: typeof english.ui = texts({
  dismiss: 'Ausblenden',
  copy: 'Kopieren',
  copyFailed: 'Dein Browser hat das Kopieren verhindert. Markiere den Text und kopiere ihn selbst.',
  optional: 'optional',
  showPassword: 'Passwort anzeigen',
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
    tooShort: '{least, plural, one {Gib mindestens # Zeichen ein.} other {Gib mindestens # Zeichen ein.}}',
    tooLong: '{most, plural, one {Gib höchstens # Zeichen ein.} other {Gib höchstens # Zeichen ein.}}',
    tooSmall: 'Gib mindestens {least} ein.',
    tooLarge: 'Gib höchstens {most} ein.',
    email: 'Gib eine E-Mail-Adresse wie name@example.org ein.',
    url: 'Gib eine URL ein, die mit https:// beginnt',
    form: 'Das Format stimmt nicht.',
    noAnswer: 'Der Server ist nicht erreichbar. Prüfe deine Verbindung und versuche es erneut.',
    proxy:
      'Statt des Servers hat ein Proxy geantwortet ({status}). Versuche es erneut oder frage deinen Admin.',
    proxyTooLarge:
      'Der Proxy des Servers hat es abgelehnt (413). Bitte deinen Admin, die Grenze für Uploads zu erhöhen.',
    tooOften:
      '{seconds, plural, one {Zu viele Anfragen. Versuche es in # Sekunde erneut.} other {Zu viele Anfragen. Versuche es in # Sekunden erneut.}}',
    unexpected: 'Etwas ist schiefgegangen. Versuche es erneut.',
    page: 'Dieser Teil der Seite konnte nicht geladen werden.',
    newVersion: 'Es gibt eine neue Version dieser Seite.',
    reload: 'Neu laden',
  },
});
