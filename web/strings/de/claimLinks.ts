import type * as english from '../en/claimLinks.ts';
import { texts } from '../texts.ts';

export const claimLinks: typeof english.claimLinks = texts({
  title: 'Links zum Übernehmen',
  lead: 'Schicke jeder Person ihren Link. Er gilt einmal, sieben Tage lang, und gibt Zugang zu ihren Nachrichten. Ein neuer Link ersetzt den vorherigen.',
  search: 'Nach Benutzername oder Name suchen',
  none: 'Alle sind übernommen',
  noneMore: 'Keine importierte Person dieses Servers wartet auf ein Konto.',
  copyOf: 'Link für {name} kopieren',
  copied: 'Link für {name} kopiert.',
  gone: 'Jemand hat {name} bereits übernommen.',
  until: 'Link gilt bis {when}',
  download: 'Links als CSV herunterladen',
  progress: '{count, plural, one {# Link erstellt} other {# Links erstellt}}',
});
