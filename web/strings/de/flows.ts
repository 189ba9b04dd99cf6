import type * as english from '../en/flows.ts';
import { texts } from '../texts.ts';

export const flowNew: typeof english.flowNew = texts({
  templates: 'Vorlagen',
  scratch: 'Ohne Vorlage beginnen',
  scratchMore: 'Wähle einen Auslöser und füge Schritte hinzu.',
  use: 'Verwenden',
  useNamed: 'Verwenden: {name}',
});

export const flowRuns: typeof english.flowRuns = texts({
  title: 'Läufe von {name}',
  runs: 'Läufe',
  none: 'Keine Läufe',
  noneMore: 'Läufe werden 30 Tage aufbewahrt.',
  valuesClosed: 'Du siehst Status und Zeiten, aber keine Inhalte.',
  status: 'Nach Status filtern',
  all: 'Alle',
  statuses: {
    running: 'Läuft',
    waiting: 'Wartet',
    done: 'Fertig',
    failed: 'Fehlgeschlagen',
    cancelled: 'Abgebrochen',
  },
  stepStatuses: {
    done: 'Fertig',
    failed: 'Fehlgeschlagen',
    waiting: 'Wartet',
    skipped: 'Übersprungen',
  },
  late: 'Verspätet',
  triggers: {
    event: 'Ereignis',
    schedule: 'Zeitplan',
    hook: 'Eingehende HTTP-Anfrage',
    command: 'Befehl',
    button: 'Button',
    manual: 'Manuell gestartet',
    flow: 'Von einem Flow gestartet',
  },
  took: 'dauerte {time}',
  wakes: 'geht weiter: {when}',
  runNow: 'Jetzt ausführen',
  started: 'Lauf gestartet.',
  steps: 'Schritte',
  cancel: 'Lauf abbrechen',
  cancelled: 'Lauf abgebrochen. Bereits ausgeführte Änderungen bleiben bestehen.',
  retry: 'Wiederholen',
  retried: 'Der Lauf geht mit dem fehlgeschlagenen Schritt weiter.',
  again: 'Erneut ausführen',
  startedAt: 'begonnen: {when}',
  endedAt: 'beendet: {when}',
  depth: '{count, plural, one {von # Flow gestartet} other {von einer Kette aus # Flows gestartet}}',
  input: 'Eingabe des Laufs',
  noSteps: 'Noch keine Schritte.',
  inputOf: 'Schritt {at}, {name}: Eingabe',
  outputOf: 'Schritt {at}, {name}: Ausgabe',
  attempts: '{count, plural, one {# Versuch} other {# Versuche}}',
  week: 'Letzte 7 Tage: {count, plural, =0 {keine Läufe} one {# Lauf} other {# Läufe}}, {failed, plural, =0 {keiner fehlgeschlagen} one {# fehlgeschlagen} other {# fehlgeschlagen}}.',
  weekCaption: 'Läufe in den letzten 7 Tagen',
  others: 'Andere Läufe',
  dayTip: '{day}: {count, plural, one {# Lauf} other {# Läufe}}, {failed} fehlgeschlagen',
  counted: 'Beruht auf den letzten {count} Läufen.',
});

export const flowSettings: typeof english.flowSettings = texts({
  title: 'Flows',
  lead: 'Palaver führt die Schritte eines Flows bei Ereignissen, zu festen Zeiten oder manuell aus.',
  unseen: 'Du hast keinen Zugriff auf Flows.',
  create: 'Neuer Flow',
  find: 'Flow finden',
  none: 'Noch keine Flows',
  noneMore: 'Erstelle einen, um neue Mitglieder zu begrüßen oder Nachrichten zu beantworten.',
  isOn: 'An',
  isOff: 'Aus',
  on: 'Flow eingeschaltet.',
  off: 'Flow ausgeschaltet.',
  turnOn: 'Einschalten',
  turnOff: 'Ausschalten',
  view: 'Ansehen',
  runs: 'Läufe',
  note: 'Notiz',
  noteMore: 'für andere Programme gespeichert; Palaver führt sie erst aus, wenn du sie speicherst',
  disabled: 'ausgeschaltet: {reason}',
  steps: '{count, plural, one {# Schritt} other {# Schritte}}',
  try: 'Ausprobieren',
  hookOf: 'URL von {name}',
  hookMore: 'Kopiere sie jetzt. Sie wird nicht wieder angezeigt. Wer sie kennt, kann den Flow starten.',
  hook: 'URL',
  curl: 'Mit curl',
  enabled: 'An',
  saved: 'Flow geändert.',
  ask: 'Flow „{name}“ löschen?',
  askMore: 'Seine Läufe enden und werden gelöscht.',
  deleted: 'Flow „{name}“ gelöscht.',
});

export const flowTemplates: typeof english.flowTemplates = texts({
  welcome: {
    title: 'Neue Mitglieder begrüßen',
    description: 'Begrüßt jedes neue Mitglied in einem Kanal.',
    texts: {
      message: 'Willkommen, @{member}! Sag Hallo und frag, was du möchtest.',
    },
  },
  standup: {
    title: 'Stand-up um neun',
    description: 'Stellt werktags drei Fragen und eröffnet einen Thread für die Antworten.',
    texts: {
      message: 'Guten Morgen. Was hast du gestern gemacht, was machst du heute, und was blockiert dich?',
      thread: 'Stand-up',
    },
  },
  alerts: {
    title: 'Warnungen weiterleiten',
    description: 'Kopiert Nachrichten, die ein Wort enthalten, in einen anderen Kanal.',
    texts: {
      message: 'Warnung: {content}',
    },
  },
  triage: {
    title: 'Triage per Reaktion',
    description: 'Startet einen Thread zu jeder Nachricht, die 👀 bekommt.',
    texts: {
      thread: 'Triage',
      message: 'Jemand kümmert sich darum. Updates bitte hier.',
    },
  },
  approval: {
    title: 'Freigabe durch zwei Personen',
    description: 'Fragt bei Nachrichten mit #approve nach einer Entscheidung und wartet auf zwei Personen.',
    texts: {
      question: 'Freigeben? {content}',
      approve: 'Freigeben',
      decline: 'Ablehnen',
      approved: 'Von zwei Personen freigegeben.',
      declined: 'Nicht freigegeben.',
    },
  },
  questions: {
    title: 'An Fragen erinnern',
    description:
      'Antwortet auf Nachrichten mit einem Fragezeichen, die vier Stunden lang niemand beantwortet.',
    texts: {
      message: 'Wurde diese Frage beantwortet?',
    },
  },
  rota: {
    title: 'Bereitschaftsplan',
    description:
      'Kündigt am 1. jedes Monats an, wer Bereitschaft hat, und zwei Wochen später die nächste Person.',
    texts: {
      message: 'Bereitschaft in den nächsten zwei Wochen: @{username}',
    },
  },
  digest: {
    title: 'Wochenüberblick',
    description:
      'Holt jeden Freitag eine Liste von einem anderen Dienst und postet ihre Einträge in einen Thread.',
    texts: {
      message: 'Der Überblick dieser Woche',
      thread: 'Überblick',
    },
  },
  form: {
    title: 'Formular in Kanal',
    description: 'Postet, was Leute in ein Formular auf deiner Website eingeben.',
    texts: {
      message: 'Neuer Formulareintrag von {name}: {message}',
    },
  },
  webhook: {
    title: 'Webhook in Thread',
    description: 'Postet jede eingehende HTTP-Anfrage, mit einem Thread für ihre Details.',
    texts: {
      thread: 'Details',
    },
  },
});

export const flowTry: typeof english.flowTry = texts({
  title: '{name} ausprobieren',
  lead: 'Zeigt, was der gespeicherte Flow bei den letzten zehn Ereignissen seiner Art tun würde. Nichts wird geschrieben oder gesendet, und es wird nicht gewartet.',
  tries: 'Ereignisse',
  none: 'Keine Ereignisse zum Ausprobieren',
  noneMore: 'In letzter Zeit gab es kein Ereignis dieser Art, das du und der Flow sehen können.',
  again: 'Erneut ausprobieren',
  byHand: 'Manuell gestartet, ohne Eingabe',
  noMatch: 'Würde nicht starten',
  wouldRun: 'Würde laufen',
  wouldFail: 'Würde fehlschlagen',
});
