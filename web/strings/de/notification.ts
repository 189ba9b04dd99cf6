import type { notification as english } from '../en/notification.ts';
import { plural } from '../format.ts';

export const notification: typeof english = {
  inbox: 'Posteingang',
  inboxWith: (count) =>
    plural(count, {
      zero: 'Posteingang',
      one: 'Posteingang: # ungelesen',
      other: 'Posteingang: # ungelesen',
    }),
  somebody: 'Jemand',
  told: {
    mention: (name) => `${name} hat dich erwähnt`,
    reply: (name) => `${name} hat dir geantwortet`,
    thread: (name) => `${name} hat in einem Thread geantwortet`,
  },
  unread: 'Ungelesen: ',
  read: 'Als gelesen markieren',
  readAll: 'Alle als gelesen markieren',
  clear: 'Entfernen',
  clearAll: 'Alle entfernen',
  clearAsk: 'Alle Benachrichtigungen entfernen?',
  clearMore: 'Die von allen Servern verschwinden, gelesen oder nicht. Die Nachrichten bleiben.',
  more: 'Mehr zum Posteingang',
  none: 'Nichts hier',
  noneMore: 'Hier kommen Erwähnungen von dir, Antworten an dich und Antworten in deinen Threads an.',
  goneMessage: 'Diese Nachricht wurde gelöscht, oder du darfst sie nicht mehr sehen.',
  removed: (server) => `Du bist nicht mehr auf ${server}.`,
  device: 'In diesem Browser benachrichtigen',
  deviceHint:
    'Solange diese Seite im Hintergrund ist. Stummgeschaltete Kanäle und der Status „Bitte nicht stören“ bleiben still.',
  deviceRefused:
    'Dein Browser lässt diese Seite dich nicht benachrichtigen. In seinen Einstellungen für diese Website kannst du es erlauben.',
  notices: {
    message: (name, channel) => `${name} in ${channel}`,
    mention: (name, channel) => `${name} hat dich in ${channel} erwähnt`,
    reply: (name, channel) => `${name} hat dir in ${channel} geantwortet`,
    thread: (name, channel) => `${name} hat in einem Thread in ${channel} geantwortet`,
  },
};
