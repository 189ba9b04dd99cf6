import type { pin as english } from '../en/pin.ts';

export const pin: typeof english = {
  pins: 'Angepinnte Nachrichten',
  unpin: 'Loslösen',
  none: 'Hier ist nichts angepinnt',
  noneMore: 'Pinne an, was andere wiederfinden sollen: eine Entscheidung, eine Adresse, einen Plan.',
};
