import type * as english from '../en/moderation.ts';
import { texts } from '../texts.ts';

export const banSettings: typeof english.banSettings = texts({
  title: 'Banns',
  find: 'Gebannte suchen',
  lead: 'Gebannte können nicht beitreten, auch nicht mit einer Einladung. Mitglieder bannst du auf der Seite der Mitglieder.',
  closed: 'Du hast keinen Zugriff auf Banns.',
  none: 'Keine Banns',
  noneMore: 'Bannen kannst du auf der Seite der Mitglieder.',
  since: 'seit {when}',
  by: 'von',
  lift: 'Bann aufheben',
  liftFor: 'Bann von {name} aufheben',
  ask: 'Bann von {name} aufheben?',
  askMore: 'Ein Beitritt ist dann wieder möglich; bei einem privaten Server nur mit Einladung.',
  lifted: 'Bann von {name} aufgehoben.',
});

export const heldSettings: typeof english.heldSettings = texts({
  title: 'Zurückgehaltene Nachrichten',
  lead: 'Nachrichten, die eine Wortregel bis zur Prüfung zurückhält. Nach 14 Tagen werden sie gelöscht.',
  forbidden: 'Du hast keinen Zugriff auf zurückgehaltene Nachrichten.',
  none: 'Keine zurückgehaltenen Nachrichten',
  noneMore: 'Nachrichten, die eine Wortregel zurückhält, erscheinen hier, bevor Mitglieder sie sehen.',
  by: 'wegen „{pattern}“',
  approve: 'Freigeben',
  approveOf: 'Nachricht von {name} freigeben',
  reject: 'Ablehnen',
  rejectOf: 'Nachricht von {name} ablehnen',
  decided: {
    approve: 'Nachricht freigegeben und gesendet.',
    reject: 'Nachricht abgelehnt.',
  },
});

export const invitationSettings: typeof english.invitationSettings = texts({
  title: 'Eine Person einladen',
  lead: 'Für jemanden, der hier ein Konto hat. Die Person wird Mitglied, wenn sie innerhalb von 30 Tagen annimmt.',
  username: 'Benutzername',
  invite: 'Einladen',
  invited: '@{username} wurde eingeladen.',
  already: 'Diese Person ist bereits Mitglied oder wurde schon eingeladen.',
  expires: 'läuft {when} ab',
  by: 'von',
  withdraw: 'Zurückziehen',
  withdrawFrom: 'Einladung von {name} zurückziehen',
  ask: 'Einladung von {name} zurückziehen?',
  askMore:
    'Die Person kann sie nicht mehr annehmen und nicht wieder eingeladen werden, bis sie abgelaufen wäre.',
  withdrawn: 'Einladung zurückgezogen.',
});

export const inviteSettings: typeof english.inviteSettings = texts({
  title: 'Einladungen',
  find: 'Einladung nach Link oder Person suchen',
  lead: 'Links, mit denen Leute diesem Server beitreten.',
  closed: 'Du kannst Einladungen ansehen, aber keine erstellen.',
  othersClosed: 'Du kannst nur deine eigenen Einladungen widerrufen.',
  create: 'Neue Einladung',
  none: 'Noch keine Einladungen',
  noneMore: 'Erstelle eine und teile ihren Link.',
  uses: '{uses, plural, =0 {noch nicht benutzt} one {einmal benutzt} other {#-mal benutzt}}',
  usesOf: '{uses} von {most} Mal benutzt',
  forever: 'läuft nie ab',
  ends: 'läuft ab {when}',
  ended: 'abgelaufen {when}',
  over: 'Abgelaufen',
  by: 'von',
  show: 'Link und QR-Code anzeigen',
  revoke: 'Widerrufen',
  ask: 'Diese Einladung widerrufen?',
  askMore: 'Der Link funktioniert dann nicht mehr. Wer schon beigetreten ist, bleibt.',
  revoked: 'Einladung widerrufen.',
});

export const reportSettings: typeof english.reportSettings = texts({
  title: 'Meldungen',
  lead: 'Nachrichten, die Mitglieder gemeldet haben. Wird eine Meldung geschlossen, wird die Kopie der Nachricht gelöscht.',
  forbidden: 'Du hast keinen Zugriff auf Meldungen.',
  show: 'Nach Status filtern',
  states: {
    open: 'Offen',
    resolved: 'Erledigt',
    dismissed: 'Verworfen',
  },
  none: {
    open: 'Keine offenen Meldungen',
    resolved: 'Keine erledigten Meldungen',
    dismissed: 'Keine verworfenen Meldungen',
  },
  by: 'gemeldet von',
  direct: 'Direktnachricht',
  reason: 'Grund:',
  resolve: 'Erledigen',
  resolveOf: 'Die Meldung über {name} erledigen',
  dismiss: 'Verwerfen',
  dismissOf: 'Die Meldung über {name} verwerfen',
  closed: {
    resolved: 'Meldung erledigt.',
    dismissed: 'Meldung verworfen.',
  },
});

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
