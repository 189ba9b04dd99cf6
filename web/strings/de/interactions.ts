import type * as english from '../en/interactions.ts';
import { texts } from '../texts.ts';

export const blocks: typeof english.blocks = texts({
  choose: 'Auswählen …',
  submit: 'Absenden',
  somebody: 'jemand',
  tasks: '{done} von {count} erledigt',
  states: {
    pending: 'Nicht begonnen',
    working: 'In Arbeit',
    done: 'Erledigt',
    failed: 'Fehlgeschlagen',
  },
  pending: 'Warten auf {name} …',
  done: 'Erledigt',
  failed: '{name} konnte das nicht ausführen. Du kannst es noch einmal versuchen.',
  expired: '{name} hat nicht rechtzeitig geantwortet. Du kannst es noch einmal versuchen.',
  pressed: 'erledigt',
  onlyYou: 'Nur für dich sichtbar',
  dismiss: 'Ausblenden',
  decideFirst: 'Entscheiden kann: {names, list}.',
  decideAll: 'Entscheiden müssen: {names, list}.',
  decided: '{name} hat „{choice}“ gewählt, {when}',
  notAsked: 'Du kannst das nicht entscheiden',
  alreadyDecided: 'Du hast schon entschieden',
  over: 'Schon entschieden',
  removePreviews: 'Linkvorschauen entfernen',
});

export const commands: typeof english.commands = texts({
  unknown: 'Ein Befehl',
  options: {
    required: 'erforderlich',
    text: 'Text',
    number: 'Zahl',
  },
  missing: 'Die Option „{name}“ fehlt.',
  tooMany: '„{text}“ passt zu keiner Option dieses Befehls.',
  twice: 'Die Option „{name}“ ist zweimal angegeben.',
  number: 'Die Option „{name}“ muss eine Zahl sein.',
  boolean: 'Die Option „{name}“ muss true oder false sein.',
  choice: 'Die Option „{name}“ muss eins davon sein: {choices, list}.',
  user: 'Die Option „{name}“ muss ein Mitglied sein, etwa @ada.',
  channel: 'Die Option „{name}“ muss ein Kanal sein, etwa #allgemein.',
});
