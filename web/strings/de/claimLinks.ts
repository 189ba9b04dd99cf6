import type * as english from '../en/claimLinks.ts';
import { texts } from '../texts.ts';

export const claimLinks: typeof english.claimLinks = texts({
  title: 'Links zum Übernehmen',
  lead: 'Schicke jeder Person ihren Link. Er funktioniert einmal innerhalb von sieben Tagen und gibt Zugriff auf ihre Nachrichten. Ein neuer Link ersetzt den vorigen.',
  search: 'Nach Benutzername oder Name suchen',
  none: 'Alle wurden übernommen',
  noneMore: 'Alle importierten Personen auf diesem Server wurden übernommen.',
  copyOf: 'Link für {name} kopieren',
  copied: 'Link für {name} kopiert.',
  gone: 'Jemand hat {name} bereits übernommen.',
  until: 'Link gilt bis {when}',
  download: 'Links als CSV herunterladen',
  progress: '{count, plural, one {# Link erstellt} other {# Links erstellt}}',
});
