import type * as english from '../en/panels.ts';
import { texts } from '../texts.ts';

export const member: typeof english.member = texts({
  profile: 'Profil',
  nobody: 'Dieses Konto gibt es hier nicht mehr.',
  noMember: 'Nicht mehr Mitglied dieses Servers.',
  joined: 'Beigetreten: {on}',
  roles: 'Rollen',
  noRoles: 'Keine Rollen',
  give: 'Rolle geben',
  take: 'Die Rolle {role} entziehen',
  mention: 'Erwähnen',
  more: 'Mehr zu diesem Mitglied',
  copyId: 'Benutzer-ID kopieren',
  lastAdmin: 'Sonst könnte niemand mehr diesen Server verwalten.',
  kick: 'Kicken',
  kickAsk: '{name} kicken?',
  kickMore:
    'Die Mitgliedschaft endet sofort, und zurück geht es nur mit einer Einladung. Hier erstellte Schlüssel und Agenten enden.',
  ban: 'Bannen',
  banAsk: '{name} bannen?',
  banMore:
    'Die Mitgliedschaft endet sofort, und ein Beitritt ist erst wieder möglich, wenn der Bann aufgehoben ist.',
  reason: 'Grund',
  reasonHint: 'Für die Liste der Banns. Andere Mitglieder sehen ihn nicht.',
  search: 'Mitglieder suchen',
  groups: {
    here: 'Online: {count}',
    away: 'Offline: {count}',
    agents: 'Agenten: {count}',
  },
  found: '{count, plural, one {# Mitglied gefunden} other {# Mitglieder gefunden}}',
  none: 'Niemand mit diesem Namen',
  noneMore: 'Gesucht wird in Namen, Benutzernamen und Spitznamen, nach den Anfängen ihrer Wörter.',
});

export const panel: typeof english.panel = texts({
  titles: {
    threads: 'Threads',
    pins: 'Angepinnte Nachrichten',
    members: 'Mitglieder',
    search: 'Suche',
    inbox: 'Posteingang',
  },
  resize: 'Breite der Seitenleiste',
  gone: 'Gelöschtes Konto',
  cardLabel: '{author}, {at}',
});

export const pin: typeof english.pin = texts({
  unpin: 'Loslösen',
  none: 'Hier ist nichts angepinnt',
  noneMore: 'Pinne an, was andere wiederfinden sollen: eine Entscheidung, eine Adresse, einen Plan.',
});

export const search: typeof english.search = texts({
  search: 'Nachrichten suchen',
  prompt: 'Nachrichten suchen',
  clear: 'Suche leeren',
  results: 'Ergebnisse',
  filters: 'Filter',
  apply: 'Suchen',
  remove: 'Filter entfernen: {filter}',
  inHere: 'in {channel}',
  chips: {
    in: 'in {value}',
    from: 'von @{value}',
    after: 'nach dem {value}',
    before: 'vor dem {value}',
  },
  channel: 'Kanal',
  everywhere: 'Alle Kanäle',
  author: 'Von wem',
  authorHint: 'Der Benutzername',
  after: 'Nach dem',
  before: 'Vor dem',
  kind: 'Art',
  kinds: {
    all: 'Alle Nachrichten',
    person: 'Von Personen',
    agent: 'Von Agenten',
    thread: 'Antworten in Threads',
  },
  inThread: 'in einem Thread:',
  noText: 'Kein Text',
  found: '{count, plural, =0 {Nichts gefunden} one {# Nachricht gefunden} other {# Nachrichten gefunden}}',
  foundFirst:
    '{count, plural, =0 {Nichts gefunden} one {# Nachricht gefunden} other {Die ersten # Nachrichten gefunden}}',
  none: 'Nichts gefunden',
  noneMore: 'Alle Wörter müssen in einer Nachricht stehen. Der Anfang eines Wortes reicht.',
  noPerson: 'Niemand hat hier den Benutzernamen {name}.',
  noChannel: 'Hier gibt es keinen Kanal {name}, den du siehst.',
  needsWords: 'Gib ein Wort zum Suchen ein, oder wähle einen Kanal.',
  recent: 'Letzte Suchen',
  forget: 'Leeren',
  hints: [
    {
      form: 'ver pla',
      text: 'findet „veröffentlichung planen“',
    },
    {
      form: '"unser plan"',
      text: 'diese Wörter, in dieser Reihenfolge',
    },
    {
      form: 'from:ada',
      text: 'von einer Person',
    },
    {
      form: 'in:allgemein',
      text: 'in einem Kanal',
    },
    {
      form: 'after:2026-11-01',
      text: 'nach Tag; auch before:',
    },
  ],
});

export const thread: typeof english.thread = texts({
  thread: 'Thread',
  threads: 'Threads',
  inChannel: 'in ',
  label: 'Antworten im Thread',
  labelOf: 'Antworten in {name}',
  live: 'Neue Antworten',
  replies: '{count, plural, =0 {Noch keine Antworten} one {# Antwort} other {# Antworten}}',
  unread: '{count, plural, one {# ungelesene Antwort} other {# ungelesene Antworten}}',
  by: 'Thread von {name}',
  somebody: 'jemandem',
  none: 'Noch keine Threads',
  noneMore: 'Ein Thread hält ein Thema zusammen, neben dem Kanal. Starte einen an einer Nachricht.',
  follow: 'Bei neuen Antworten benachrichtigen',
  followed: 'Bei neuen Antworten wirst du benachrichtigt.',
  unfollowed: 'Bei neuen Antworten wirst du nicht mehr benachrichtigt, bis du hier schreibst.',
  more: 'Mehr zu diesem Thread',
  toFirst: 'Zur ersten Nachricht',
  rename: 'Umbenennen',
  lock: 'Sperren',
  unlock: 'Entsperren',
  locked: 'gesperrt',
  lockedMore: 'Dieser Thread ist gesperrt: Hier schreibt nur, wer ihn entsperren darf.',
  delete: 'Thread löschen',
  deleteAsk: 'Diesen Thread löschen?',
  deleteMore:
    '{replies, plural, =0 {Er hat keine Antworten. Die erste Nachricht bleibt im Kanal.} one {Seine Antwort geht mit. Die erste Nachricht bleibt im Kanal.} other {Seine # Antworten gehen mit. Die erste Nachricht bleibt im Kanal.}}',
  notYours: 'Nur für Admins und wer ihn begonnen hat',
  gone: 'Diesen Thread gibt es hier nicht',
  goneMore: 'Er wurde gelöscht, oder du darfst ihn nicht mehr sehen.',
  rootGone: 'Die erste Nachricht wurde gelöscht.',
  unreadable: 'Dieser Thread kann gerade nicht gelesen werden',
  unreadableMore: 'Der Server hat nicht geantwortet.',
});
