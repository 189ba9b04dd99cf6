import type * as english from '../en/wordRules.ts';
import { texts } from '../texts.ts';

export const wordRuleSettings: typeof english.wordRuleSettings = texts({
  title: 'Wortregeln',
  lead: 'Halte Nachrichten mit bestimmten Wörtern zurück oder blockiere sie. Die Regeln gelten für Nachrichten, Änderungen und Namen von Threads, aber nicht für die Moderation und nicht in Direktnachrichten.',
  forbidden: 'Du hast keinen Zugriff auf Wortregeln.',
  none: 'Keine Wortregeln',
  noneMore: 'Erstelle eine, um Nachrichten zu prüfen, bevor Mitglieder sie sehen.',
  create: 'Neue Wortregel',
  edit: 'Wortregel bearbeiten',
  pattern: 'Wörter',
  patternHint:
    'Groß- und Kleinschreibung, Akzente und Satzzeichen zählen nicht. „*“ steht für beliebige Buchstaben in einem Wort, etwa „Uhr*“.',
  action: 'Wenn eine Nachricht passt',
  actions: {
    hold: 'Zur Prüfung zurückhalten',
    refuse: 'Blockieren',
  },
  saved: 'Wortregel gespeichert.',
  ask: 'Regel für „{pattern}“ löschen?',
  askMore: 'Nachrichten, die sie schon zurückhält, müssen weiter geprüft werden.',
  deleted: 'Wortregel gelöscht.',
});
