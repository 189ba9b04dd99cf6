import type { upload as english } from '../en/upload.ts';
import { plural } from '../format.ts';

export const upload: typeof english = {
  list: 'Dateien, die gesendet werden',
  waiting: 'Wartet',
  checking: 'Fast fertig …',
  progress: (name) => `Hochladen von ${name}`,
  again: (name) => `${name} erneut hochladen`,
  cancel: (name) => `Das Hochladen von ${name} abbrechen`,
  remove: (name) => `${name} entfernen`,
  dropHere: (name) => `Zieh Dateien hierher, um sie an ${name} zu senden`,
  most: (count) =>
    plural(count, { one: 'Bis zu # Datei je Nachricht', other: 'Bis zu # Dateien je Nachricht' }),
};
