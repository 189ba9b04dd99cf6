import type * as english from '../en/shortcuts.ts';
import { texts } from '../texts.ts';

export const shortcuts: typeof english.shortcuts = texts({
  lead: 'Palaver funktioniert auch ohne Maus. Mit Tab wechselst du den Bereich, mit den Pfeiltasten bewegst du dich darin.',
  groups: [
    {
      title: 'Allgemein',
      keys: [
        ['Kanal, Person, Aktion, Einstellung oder Datum finden', 'Strg K', '⌘ K'],
        ['Voriger oder nächster Kanal', 'Alt ↑', 'Alt ↓'],
        ['Voriger oder nächster ungelesener Kanal', 'Alt Umschalt ↑', 'Alt Umschalt ↓'],
        ['Menü eines Kanals oder Servers öffnen', 'Umschalt F10'],
        ['Auf dem Server suchen', 'Strg F', '⌘ F'],
        ['Posteingang öffnen, fokussieren oder schließen', 'Strg Umschalt M', '⌘ ⇧ M'],
        ['Schließen', 'Esc'],
      ],
    },
    {
      title: 'Nachrichten',
      keys: [
        ['Vorige oder nächste Nachricht', '↑', '↓'],
        ['In eine Nachricht, zu ihren Links und Buttons', 'Enter'],
        ['Wieder heraus', 'Esc'],
        ['Antworten, zitieren oder einen Thread öffnen', 'R', 'Q', 'T'],
        ['Reagieren, bearbeiten oder anpinnen', '+', 'E', 'P'],
        ['Text oder Link kopieren', 'C', 'L'],
        ['Als ungelesen markieren oder löschen', 'U', 'Entf'],
        ['Für später speichern', 'S'],
      ],
    },
    {
      title: 'Posteingang',
      keys: [
        ['Vorige oder nächste Benachrichtigung', '↑', '↓'],
        ['Nachricht öffnen', 'Enter'],
        ['Als gelesen markieren oder entfernen', 'M', 'Entf'],
        ['Zum Filter', 'Umschalt Tab'],
      ],
    },
    {
      title: 'Schreiben',
      keys: [
        ['Senden', 'Enter'],
        ['Neue Zeile', 'Umschalt Enter'],
        ['Deine letzte Nachricht bearbeiten (bei leerem Feld)', '↑'],
        ['Fett, kursiv, Code', 'Strg B', 'Strg I', 'Strg E', '⌘ B', '⌘ I', '⌘ E'],
        ['Durchgestrichen, Link', 'Strg Umschalt X', 'Strg Umschalt U', '⌘ ⇧ X', '⌘ ⇧ U'],
        ['Nummerierte Liste', 'Strg Umschalt 7', '⌘ ⇧ 7'],
        ['Aufzählung, Zitat', 'Strg Umschalt 8', 'Strg Umschalt 9', '⌘ ⇧ 8', '⌘ ⇧ 9'],
        ['Codeblock', 'Strg Alt Umschalt C', '⌘ ⌥ ⇧ C'],
      ],
    },
  ],
});
