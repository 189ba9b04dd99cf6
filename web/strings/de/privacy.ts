import type * as english from '../en/privacy.ts';
import { texts } from '../texts.ts';

export const block: typeof english.block = texts({
  block: 'Blockieren',
  unblock: 'Nicht mehr blockieren',
  unblockNamed: '{name} nicht mehr blockieren',
  ask: '{name} blockieren?',
  askMore:
    'Diese Person kann dir keine Direktnachrichten senden, ihre Nachrichten in Kanälen sind eingeklappt, und du wirst über sie nicht benachrichtigt. Sie erfährt nichts davon.',
  unblocked: '{name} ist nicht mehr blockiert.',
});

export const privacy: typeof english.privacy = texts({
  lead: 'Wer dich erreicht, und wen du blockierst.',
  reach: 'Wer mir schreiben kann',
  reachMore: 'Gilt für neue Direktnachrichten und für Antworten in bestehenden zwischen zwei Personen.',
  reaches: {
    anybody: 'Alle auf meinen Servern',
    nobody: 'Niemand',
  },
  blocked: 'Blockierte Personen',
  blockedMore:
    'Blockierte können dir keine Direktnachrichten senden, und ihre Nachrichten in Kanälen sind eingeklappt. Sie erfahren nichts davon.',
  none: 'Niemand ist blockiert',
  noneMore: 'Öffne das Profil einer Person und wähle in dessen Menü „Blockieren“.',
  unknown: 'Unbekanntes Konto',
});
