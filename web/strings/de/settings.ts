import type { settings as english } from '../en/settings.ts';

export const settings: typeof english = {
  back: 'Zurück',
  more: 'Mehr zeigen',
  reading: 'Wird geladen …',
  noPicture: 'Diese Datei ist kein Bild, das gezeigt werden kann: Wähle PNG, JPEG, GIF oder WebP.',
  tooLarge: 'Dieses Bild ist größer als 5 MB. Wähle ein kleineres.',
};
