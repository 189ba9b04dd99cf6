import type { message as english } from '../en/message.ts';
import { plural } from '../format.ts';

export const message: typeof english = {
  gone: 'Früheres Mitglied',
  agent: 'Agent',
  edited: 'bearbeitet',
  editedAt: (when) => `Bearbeitet ${when}`,
  pinned: 'Angepinnt',

  answers: 'Antwort auf:',
  answeredGone: 'Die Nachricht, auf die sie antwortet, wurde gelöscht',
  answeredLoading: 'Die Nachricht, auf die sie antwortet, wird geladen',
  replies: (count) => plural(count, { zero: 'Thread', one: '# Antwort', other: '# Antworten' }),
  stuck: 'eine Antwort von dir wurde nicht gesendet',
  lastReply: (when) => `zuletzt ${when}`,

  actions: 'Aktionen',
  more: 'Weitere Aktionen',
  react: 'Reaktion hinzufügen',
  reactWith: (emoji) => `Mit ${emoji} reagieren`,
  who: 'Wer reagiert hat',
  reply: 'Antworten',
  quote: 'Zitieren',
  thread: 'Thread starten',
  openThread: 'Thread öffnen',
  edit: 'Bearbeiten',
  edits: 'Frühere Fassungen',
  pin: 'Anpinnen',
  unpin: 'Loslösen',
  copyText: 'Text kopieren',
  copyLink: 'Link kopieren',
  copied: 'Kopiert',
  copyFailed: 'Der Browser hat das Kopieren nicht erlaubt',
  markUnread: 'Als ungelesen markieren',
  delete: 'Löschen',
  deleteTitle: 'Diese Nachricht löschen?',
  deleteText: 'Sie ist dann endgültig weg, mit ihren Reaktionen, auch aus den angepinnten.',

  editLabel: 'Nachricht bearbeiten',
  save: 'Speichern',
  cancel: 'Abbrechen',
  editKeys: 'Enter speichert, Escape bricht ab',

  editsLoading: 'Das Ereignisprotokoll wird durchgesehen',
  editsUnknown: 'Das Ereignisprotokoll hat nicht mehr, was zuerst darin stand.',
  present: 'jetzt',
  tooLong: (over) => plural(over, { one: '# Zeichen zu viel', other: '# Zeichen zu viel' }),
};
