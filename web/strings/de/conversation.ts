import type * as english from '../en/conversation.ts';
import { texts } from '../texts.ts';

export const attachment: typeof english.attachment = texts({
  open: '{name} öffnen',
  download: '{name} herunterladen',
  save: 'Herunterladen',
  failed: 'Bild konnte nicht geladen werden',
  more: '+{count}',
  place: '{at} von {of}',
  previous: 'Voriges Bild',
  next: 'Nächstes Bild',
  zoomIn: 'In voller Größe ansehen',
  zoomOut: 'An Fenster anpassen',
  original: 'Original öffnen',
});

export const composer: typeof english.composer = texts({
  message: 'Nachricht an {channel}',
  reply: 'Im Thread antworten',
  aboutFiles: 'Nachricht hinzufügen (optional)',
  send: 'Senden',
  attach: 'Dateien anhängen',
  emoji: 'Emoji',
  completions: {
    '@': 'Personen',
    '#': 'Kanäle',
    ':': 'Emoji',
  },
  found: '{count, plural, one {# Vorschlag} other {# Vorschläge}}',
  replying: 'Antwort an {name}',
  somebody: 'jemanden',
  stopReply: 'Antwort abbrechen',
  left: '{count, plural, one {noch # Zeichen} other {noch # Zeichen}}',
  over: '{count, plural, one {# Zeichen zu viel} other {# Zeichen zu viel}}',
  held: 'Deine Nachricht wird gesendet, sobald die Dateien hochgeladen sind.',
  slow: '{seconds, plural, one {Du sendest Nachrichten zu schnell. Die nächsten gehen in etwa # Sekunde raus.} other {Du sendest Nachrichten zu schnell. Die nächsten gehen in etwa # Sekunden raus.}}',
  tooMany:
    '{count, plural, one {Du kannst höchstens # Datei je Nachricht anhängen.} other {Du kannst höchstens # Dateien je Nachricht anhängen.}}',
  noFolders: 'Ordner lassen sich nicht senden. Wähle stattdessen die Dateien darin.',
  locked: 'Dieser Thread ist gesperrt',
  lockedMore: 'Nur die Moderation kann antworten.',
  readonly: 'Dieser Kanal ist schreibgeschützt',
  readonlyMore: 'Nur die Moderation kann schreiben.',
  mayNot: 'Du kannst hier nicht schreiben',
  mayNotMore: 'Deine Rollen erlauben es nicht.',
});

export const conversation: typeof english.conversation = texts({
  label: 'Nachrichten in {channel}',
  live: 'Neue Nachrichten',
  loading: 'Nachrichten werden geladen',
  said: '{author}: {text}',
  saidMany: '{count, plural, one {# neue Nachricht} other {# neue Nachrichten}}',
  unreadable: 'Nachrichten konnten nicht geladen werden',
  change: 'Bearbeiten',
  discard: 'Verwerfen',
  toPresent: 'Zu den neuesten',
  toNew: '{count, plural, one {# neue Nachricht} other {# neue Nachrichten}}',
  toManyNew: '{count} neue Nachrichten',
  fresh: 'Neu',
  toDate: '{day}: zu einem anderen Datum',
  pickDate: 'Zu einem Datum gehen',
  monthBefore: 'Voriger Monat',
  monthAfter: 'Nächster Monat',
  gone: 'Diese Nachricht gibt es nicht mehr',
  beginning: 'Hier beginnt {channel}',
  beginningMore: 'Noch keine Nachrichten. Schreib die erste.',
  withFiles: '{count, plural, one {mit einer Datei} other {mit # Dateien}}',
  refused: 'Nicht gesendet: {why}',
  states: {
    waiting: 'In der Warteschlange',
    sending: 'Wird gesendet …',
    sent: 'Gesendet',
    retrying: 'Keine Verbindung. Sie wird gesendet, sobald du wieder online bist.',
    old: 'Nicht gesendet. Du hast sie vor einer Weile geschrieben. Trotzdem senden?',
  },
});

export const emoji: typeof english.emoji = texts({
  label: 'Emoji',
  search: 'Emoji suchen',
  toGroup: 'Emoji-Kategorien',
  none: 'Keine Emoji gefunden.',
  found: '{count, plural, =0 {Keine Emoji} one {# Emoji} other {# Emoji}}',
  groups: {
    recent: 'Häufig verwendet',
    found: 'Ergebnisse',
    smileys: 'Smileys',
    people: 'Personen',
    nature: 'Tiere und Natur',
    food: 'Essen und Trinken',
    travel: 'Reisen und Orte',
    activities: 'Aktivitäten',
    objects: 'Gegenstände',
    symbols: 'Symbole',
    flags: 'Flaggen',
  },
  tone: 'Hautton',
  tones: ['Kein Hautton', 'Hell', 'Mittelhell', 'Mittel', 'Mitteldunkel', 'Dunkel'],
});

export const markdown: typeof english.markdown = texts({
  picture: 'Bild',
  done: 'Erledigt',
  table: 'Tabelle',
  spoiler: 'Spoiler: zeigen',
  copyCode: 'Code kopieren',
  all: 'Alles zeigen',
  less: 'Weniger zeigen',
});

export const message: typeof english.message = texts({
  gone: 'Früheres Mitglied',
  edited: 'bearbeitet',
  editedAt: 'Bearbeitet {when}',
  pinned: 'Angepinnt',
  answers: 'Antwort auf:',
  answeredGone: 'Die ursprüngliche Nachricht wurde gelöscht',
  answeredLoading: 'Die ursprüngliche Nachricht wird geladen',
  replies: '{count, plural, =0 {Thread} one {# Antwort} other {# Antworten}}',
  draft: 'Entwurf',
  stuck: 'nicht gesendete Antwort',
  lastReply: 'zuletzt {when}',
  actions: 'Aktionen',
  more: 'Weitere Aktionen',
  react: 'Reaktion hinzufügen',
  reactWith: 'Mit {emoji} reagieren',
  who: 'Reaktionen ansehen',
  reply: 'Antworten',
  quote: 'Zitieren',
  thread: 'Thread starten',
  openThread: 'Thread ansehen',
  edit: 'Bearbeiten',
  edits: 'Bearbeitungsverlauf',
  pin: 'Anpinnen',
  unpin: 'Loslösen',
  copyText: 'Text kopieren',
  copyLink: 'Link kopieren',
  copyFailed: 'Dein Browser hat das Kopieren verhindert',
  markUnread: 'Als ungelesen markieren',
  deleteTitle: 'Nachricht löschen?',
  deleteText: 'Das löscht die Nachricht mit ihren Reaktionen endgültig und löst sie los.',
  editLabel: 'Nachricht bearbeiten',
  editKeys: 'Enter zum Speichern, Escape zum Abbrechen',
  editsLoading: 'Bearbeitungsverlauf wird geladen',
  editsUnknown: 'Der ursprüngliche Text ist unbekannt.',
  present: 'aktuell',
  tooLong: '{over, plural, one {# Zeichen zu viel} other {# Zeichen zu viel}}',
});

export const messageGone: typeof english.messageGone = texts({
  gone: 'Die Nachricht, die du bearbeitet hast, wurde gelöscht.',
  write: 'Als neue Nachricht senden',
  copy: 'Text kopieren',
});

export const reaction: typeof english.reaction = texts({
  reactions: 'Reaktionen',
  add: 'Reaktion hinzufügen',
  chip: '{emoji}, {count, plural, one {# Reaktion} other {# Reaktionen}}',
  chipWithMine: '{emoji}, {count, plural, one {# Reaktion} other {# Reaktionen}}, auch deine',
  who: '{names, list}: {emoji}',
  others: '{count, plural, one {# weitere Person} other {# weitere}}',
  whoReacted: 'Reaktionen',
  nobody: 'Noch keine Reaktionen',
});

export const typing: typeof english.typing = texts({
  are: '{people, list} {count, plural, one {schreibt} other {schreiben}} …',
  many: 'Mehrere Personen schreiben …',
});

export const upload: typeof english.upload = texts({
  list: 'Anhänge',
  waiting: 'In der Warteschlange',
  checking: 'Wird verarbeitet …',
  progress: '{name} wird hochgeladen',
  again: '{name} erneut hochladen',
  cancel: 'Das Hochladen von {name} abbrechen',
  dropHere: 'Zieh Dateien hierher, um sie an {name} zu senden',
  most: '{count, plural, one {Bis zu # Datei je Nachricht} other {Bis zu # Dateien je Nachricht}}',
});
