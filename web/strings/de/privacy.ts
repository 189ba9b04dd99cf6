import type * as english from '../en/privacy.ts';
import { texts } from '../texts.ts';

export const block: typeof english.block = texts({
  block: 'Blockieren',
  unblock: 'Blockierung aufheben',
  unblockNamed: 'Blockierung von {name} aufheben',
  ask: '{name} blockieren?',
  askMore:
    'Diese Person kann dir keine Direktnachrichten senden, ihre Nachrichten in Kanälen sind eingeklappt, und du wirst über sie nicht benachrichtigt. Sie erfährt nichts davon.',
  unblocked: '{name} ist nicht mehr blockiert.',
});

export const privacy: typeof english.privacy = texts({
  lead: 'Wer dir schreiben kann und wen du blockierst.',
  reach: 'Wer dir schreiben kann',
  reachMore: 'Gilt für neue Direktnachrichten und für Antworten in bestehenden Unterhaltungen zu zweit.',
  reaches: {
    anybody: 'Alle auf deinen Servern',
    nobody: 'Niemand',
  },
  blocked: 'Blockierte Personen',
  blockedMore:
    'Blockierte können dir keine Direktnachrichten senden, und ihre Nachrichten in Kanälen sind eingeklappt. Sie erfahren nichts davon.',
  none: 'Niemand ist blockiert',
  noneMore: 'Öffne das Profil einer Person und wähle in dessen Menü „Blockieren“.',
  unknown: 'Unbekanntes Konto',
});
