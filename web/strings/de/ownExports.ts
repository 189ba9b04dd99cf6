import type * as english from '../en/ownExports.ts';
import { texts } from '../texts.ts';

export const ownExports: typeof english.ownExports = texts({
  title: 'Deine Daten exportieren',
  lead: 'Ein ZIP-Archiv mit deinen Nachrichten und ihren früheren Fassungen, Dateien, Direktnachrichten und allem, was über dein Konto gespeichert ist. Es enthält JSON- und HTML-Dateien. Du musst bestätigen, dass du es bist.',
  start: 'Export starten',
  none: 'Keine Exporte',
  noneMore: 'Starte einen, um eine Kopie deiner Daten zu behalten.',
  states: {
    running: 'läuft',
    done: 'fertig',
    failed: 'fehlgeschlagen',
  },
  failures: {
    too_large: 'größer, als dieser Server erlaubt',
    too_late: 'hat mehr als einen Tag gedauert',
  },
  messages: '{count, plural, one {# Nachricht} other {# Nachrichten}}',
  until: 'verfügbar bis {when}',
  downloadOf: 'Export vom {when} herunterladen',
  deleteOf: 'Export vom {when} löschen',
  ask: 'Diesen Export löschen?',
  askMore: 'Sein Archiv kann nicht mehr heruntergeladen werden.',
  askRunning: 'Er wird abgebrochen.',
  deleted: 'Export gelöscht.',
});
