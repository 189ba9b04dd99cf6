import type * as english from '../en/wordRules.ts';
import { texts } from '../texts.ts';

export const wordRuleSettings: typeof english.wordRuleSettings = texts({
  title: 'Wortregeln',
  lead: 'Wörter, die eine Freigabe brauchen oder nicht erlaubt sind. Sie gelten für Nachrichten, Änderungen und Namen von Threads, aber nicht für die Moderation und nicht in Direktnachrichten.',
  forbidden: 'Du hast keinen Zugriff auf Wortregeln.',
  none: 'Keine Wortregeln',
  noneMore: 'Füge Wörter hinzu, um Nachrichten zu prüfen, bevor Mitglieder sie sehen.',
  create: 'Neue Wortregel',
  edit: 'Wortregel bearbeiten',
  pattern: 'Wörter',
  patternHint:
    'Groß- und Kleinschreibung, Akzente und Satzzeichen zählen nicht. „*“ steht für beliebige Buchstaben in einem Wort, etwa „Uhr*“.',
  action: 'Nachrichten mit diesen Wörtern',
  actions: {
    hold: 'Warten auf die Moderation',
    refuse: 'Werden abgelehnt',
  },
  saved: 'Wortregel gespeichert.',
  ask: 'Regel für „{pattern}“ löschen?',
  askMore: 'Nachrichten, die sie zurückhält, warten weiter.',
  deleted: 'Wortregel gelöscht.',
});
