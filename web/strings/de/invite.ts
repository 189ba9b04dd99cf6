import type { invite as english } from '../en/invite.ts';
import { plural } from '../format.ts';

export const invite: typeof english = {
  title: 'Leute einladen',
  lead: 'Du bekommst einen Link zum Weitergeben. Wer ihn öffnet, registriert sich oder meldet sich an und ist Mitglied.',
  span: 'Der Link gilt',
  hours: (hours) => plural(hours, { one: 'Eine Stunde', other: '# Stunden' }),
  days: (days) => plural(days, { one: 'Einen Tag', other: '# Tage' }),
  ever: 'Bis ihn jemand widerruft',
  uses: 'Er lässt herein',
  people: (count) => plural(count, { one: 'Eine Person', other: '# Personen' }),
  anybody: 'Alle, die ihn haben',
  make: 'Link erstellen',
  share: 'Diesen Link schicken',
  ready: 'Schicke ihn den Leuten, die du hier haben möchtest, oder lass ein Telefon den Code scannen.',
  code: 'QR-Code der Einladung',
  copy: 'Link kopieren',
  all: 'Alle Einladungen des Servers',
};
