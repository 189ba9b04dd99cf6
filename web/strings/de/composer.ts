import type { composer as english } from '../en/composer.ts';
import { list, plural } from '../format.ts';

export const composer: typeof english = {
  message: (channel) => `Nachricht an ${channel}`,
  reply: 'In diesem Thread schreiben',
  aboutFiles: 'Schreib etwas dazu, oder schick es ab',
  send: 'Senden',
  attach: 'Dateien hinzufügen',
  emoji: 'Emoji',
  agent: 'Agent',
  completions: { '@': 'Personen', '#': 'Kanäle', ':': 'Emoji' },
  found: (count) => plural(count, { one: '# Vorschlag', other: '# Vorschläge' }),
  replying: (name) => `Antwort an ${name}`,
  somebody: 'jemanden',
  answeredGone: 'Die Nachricht wurde gelöscht',
  stopReply: 'Nicht antworten',
  left: (count) => plural(count, { one: 'noch # Zeichen', other: 'noch # Zeichen' }),
  over: (count) => plural(count, { one: '# Zeichen zu viel', other: '# Zeichen zu viel' }),
  held: 'Deine Nachricht geht raus, sobald die Dateien hochgeladen sind.',
  stopHold: 'Anhalten',
  notUploaded:
    'Nicht gesendet: Eine Datei konnte nicht hochgeladen werden. Versuche es erneut, oder entferne sie.',
  slow: (seconds) =>
    plural(seconds, {
      one: 'Du bist schneller, als dieser Server erlaubt. Deine nächsten Nachrichten gehen in etwa # Sekunde raus.',
      other:
        'Du bist schneller, als dieser Server erlaubt. Deine nächsten Nachrichten gehen in etwa # Sekunden raus.',
    }),
  tooMany: (count) =>
    plural(count, {
      one: 'In eine Nachricht passt höchstens # Datei.',
      other: 'In eine Nachricht passen höchstens # Dateien.',
    }),
  noFolders: 'Ordner lassen sich nicht senden. Wähle die Dateien darin.',
  locked: 'Dieser Thread ist gesperrt',
  lockedMore: 'Nur die Moderation schreibt darin.',
  readonly: 'In diesem Kanal kannst du nur lesen',
  readonlyMore: 'Nur die Moderation schreibt darin.',
  mayNot: 'Du darfst hier nicht schreiben',
  mayNotMore: 'Deine Rollen erlauben es nicht.',
  mayNotNeed: (flags) => `Dafür brauchst du eine Rolle mit ${list(flags)}.`,
};
