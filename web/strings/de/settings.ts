import type { settings as english } from '../en/settings.ts';
import { number, plural } from '../format.ts';

export const settings: typeof english = {
  back: 'Zurück',
  more: 'Mehr zeigen',
  showOf: (shown, all) => `Mehr zeigen: ${number(shown)} von ${number(all)} sind hier`,
  found: (count) => plural(count, { zero: 'Keine gefunden', one: '# gefunden', other: '# gefunden' }),
  nothing: 'Nichts gefunden',
  nothingMore: 'Versuche es mit weniger Wörtern oder mit Teilen davon.',
  reading: 'Wird geladen …',
  noPicture: 'Diese Datei ist kein Bild, das gezeigt werden kann: Wähle PNG, JPEG, GIF oder WebP.',
  tooLarge: 'Dieses Bild ist größer als 5 MB. Wähle ein kleineres.',
};
