import type { panel as english } from '../en/panel.ts';

export const panel: typeof english = {
  titles: {
    threads: 'Threads',
    pins: 'Angepinnte Nachrichten',
    members: 'Mitglieder',
    search: 'Suche',
    inbox: 'Posteingang',
  },
  close: 'Schließen',
  back: 'Zurück',
  resize: 'Breite der Seitenleiste',
  more: 'Mehr zeigen',
  gone: 'Gelöschtes Konto',
  cardLabel: (author, at) => `${author}, ${at}`,
};
