import type * as english from '../en/quiet.ts';
import { texts } from '../texts.ts';

export const quiet: typeof english.quiet = texts({
  quietTimes: {
    title: 'Ruhezeiten',
    isOn: 'Benachrichtigungen nach Zeitplan pausieren',
    more: 'Keine Push-Nachrichten, Hinweise, Töne und E-Mail-Zusammenfassungen. Alles steht weiter im Posteingang.',
    from: 'Von',
    to: 'Bis',
    timeZone: 'Zeitzone',
    days: 'Beginnt am',
  },
  keywords: {
    title: 'Stichwörter',
    lead: 'Du wirst wie bei einer Erwähnung benachrichtigt, wenn jemand eines dieser Wörter schreibt.',
    label: 'Deine Stichwörter',
    more: 'Bis zu 20 Wörter oder Wortgruppen, durch Kommas getrennt. Groß- und Kleinschreibung und Akzente spielen keine Rolle.',
  },
});
