import type { messageGone as english } from '../en/messageGone.ts';

export const messageGone: typeof english = {
  gone: 'Die Nachricht, die du bearbeitet hast, wurde gelöscht.',
  write: 'Neu schreiben',
  copy: 'Text kopieren',
  copied: 'Kopiert',
};
