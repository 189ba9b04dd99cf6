import type { attachment as english } from '../en/attachment.ts';
import { number } from '../format.ts';

export const attachment: typeof english = {
  files: 'Dateien',
  open: (name) => `${name} öffnen`,
  download: (name) => `${name} herunterladen`,
  save: 'Herunterladen',
  failed: 'Dieses Bild kann nicht geladen werden',
  again: 'Erneut versuchen',
  more: (count) => `+${number(count)}`,
  place: (at, of) => `${number(at)} von ${number(of)}`,
  previous: 'Voriges Bild',
  next: 'Nächstes Bild',
  zoomIn: 'In voller Größe zeigen',
  zoomOut: 'In das Fenster einpassen',
  original: 'Original öffnen',
};
