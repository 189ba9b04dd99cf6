import type * as english from '../en/claims.ts';
import { texts } from '../texts.ts';

export const claims: typeof english.claims = texts({
  title: '{name} übernehmen',
  as: 'Du bist als {name} ({username}) angemeldet.',
  what: 'Nachrichten, Dateien und Mitgliedschaften von {name} gehen auf dein Konto über. Das lässt sich nicht rückgängig machen.',
  submit: 'Mit diesem Konto übernehmen',
  other: 'Anderes Konto verwenden',
  hasAccount: 'Ich habe schon ein Konto',
  separate: 'Stattdessen ein neues Konto anlegen',
  signIn: 'Melde dich an, um {name} mit deinem Konto zu übernehmen.',
  done: 'Du hast {name} übernommen',
  doneMore:
    'Die Nachrichten werden im Hintergrund deinem Konto zugeordnet. Bei vielen Nachrichten kann das einige Minuten dauern.',
  taken: 'Jemand hat diese Person bereits übernommen.',
});
