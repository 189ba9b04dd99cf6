import type { app as english } from '../en/app.ts';

export const app: typeof english = {
  name: 'Palaver',
  loading: 'Wird geladen …',
  unreachable: 'Der Server antwortet nicht.',
  unreachableMore: 'Deine Nachrichten sind sicher. Diese Seite versucht es von selbst wieder.',
  tryAgain: 'Erneut versuchen',
  missing: 'Unter dieser Adresse gibt es nichts',
  missingMore: 'Vielleicht wurde es gelöscht, oder du darfst es nicht sehen.',
  home: 'Zum Anfang',
};
