import type * as english from '../en/holds.ts';
import { texts } from '../texts.ts';

export const holds: typeof english.holds = texts({
  lead: 'Solange eine Aufbewahrung gilt, bleiben gelöschte Nachrichten, die sie umfasst, für Plattform-Admins erhalten. Konten und Server, die sie umfasst, können nicht endgültig gelöscht werden. Auf dem Server erfährt niemand davon.',
  create: 'Aufbewahrung anlegen',
  created: 'Aufbewahrung angelegt.',
  none: 'Keine Aufbewahrungen',
  noneMore:
    'Lege eine an, um die Nachrichten eines Servers, einer Person oder eines Kanals für ein Verfahren aufzubewahren.',
  active: 'Aktiv',
  ended: 'Beendet',
  since: 'Seit {when}',
  until: 'Bis {when}',
  endedAt: 'Beendet {when}',
  scopes: {
    server: '{server}: ganzer Server',
    user: '{server}: Nachrichten von {user}',
    channel: '{server}: Kanal {channel}',
    both: '{server}: Nachrichten von {user} im Kanal {channel}',
  },
  kept: 'Gelöschte Nachrichten',
  keptNamed: 'Gelöschte Nachrichten: {reason}',
  keptLead:
    'Nachrichten, die gelöscht wurden, während die Aufbewahrung galt. Dass du sie ansiehst, wird im Audit-Log festgehalten. Direktnachrichten werden aufbewahrt, aber nicht gezeigt.',
  keptNone: 'Keine gelöschten Nachrichten',
  keptNoneMore: 'Nachrichten, die gelöscht werden, während die Aufbewahrung gilt, erscheinen hier.',
  noChannel: 'gelöschter Kanal',
  deletedAt: 'gelöscht {when}',
  deletedBy: 'gelöscht {when} von {user}',
  files: 'Dateien',
  downloadOf: '{name} herunterladen',
  versions: '{count, plural, one {# frühere Fassung} other {# frühere Fassungen}}',
  end: 'Aufbewahrung beenden',
  endNamed: 'Aufbewahrung beenden: {reason}',
  ask: 'Diese Aufbewahrung beenden?',
  askMore:
    'Gelöschte Nachrichten und Dateien, die nur sie erhält, werden innerhalb von Minuten endgültig gelöscht. Das lässt sich nicht rückgängig machen.',
  done: 'Aufbewahrung beendet.',
  reason: 'Grund der Aufbewahrung',
  reasonHint: 'Zum Beispiel ein Aktenzeichen. Nur Plattform-Admins können ihn sehen.',
  userHint: 'Bewahrt nur die Nachrichten dieser Person auf. Leer lassen für die von allen.',
  noUser: 'Kein Konto hat diesen Benutzernamen.',
  channel: 'Kanal (optional)',
  channelHint: 'Für Direktnachrichten wähle alle Kanäle.',
  allChannels: 'Alle Kanäle des Servers',
  untilLabel: 'Endet am',
  untilHint: 'Leer lassen, um sie manuell zu beenden.',
});
