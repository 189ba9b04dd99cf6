import type { settings as english } from '../en/settings.ts';

export const settings: typeof english = {
  back: 'Zurück',
  more: 'Mehr zeigen',
  reading: 'Wird geladen …',
};
