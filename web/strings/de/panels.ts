import type * as english from '../en/panels.ts';
import { texts } from '../texts.ts';

export const member: typeof english.member = texts({
  profile: 'Profil',
  nobody: 'Dieses Konto gibt es nicht mehr.',
  noMember: 'Nicht mehr Mitglied dieses Servers.',
  joined: 'Beigetreten {on}',
  createdBy: 'Erstellt von {name}',
  lookAlike: {
    named: 'Dieser Name ähnelt dem von {name} (@{username}).',
    member: 'Dieser Name ähnelt dem eines anderen Mitglieds.',
    admin: 'Dieser Name ähnelt dem eines Plattform-Admins.',
    platform: 'Dieser Name wirkt offiziell, aber dies ist kein offizielles Konto.',
  },
  roles: 'Rollen',
  noRoles: 'Keine Rollen',
  give: 'Rolle hinzufügen',
  take: 'Rolle {role} entfernen',
  mention: 'Erwähnen',
  write: 'Nachricht schreiben',
  more: 'Optionen für dieses Mitglied',
  copyId: 'Benutzer-ID kopieren',
  lastAdmin: 'Dieser Server braucht mindestens einen Admin.',
  kick: 'Kicken',
  kickAsk: '{name} kicken?',
  kickMore:
    'Das Mitglied wird sofort vom Server entfernt, und seine API-Schlüssel, Webhooks und Agenten hier funktionieren nicht mehr. Ist der Server privat, braucht es für die Rückkehr eine Einladung.',
  timeOut: 'Auszeit geben',
  timeOutEnd: 'Auszeit beenden',
  timeOutAsk: '{name} eine Auszeit geben?',
  timeOutMore:
    'Bis die Auszeit vorbei ist, kann das Mitglied lesen, aber nicht schreiben oder reagieren, außer in Direktnachrichten.',
  timeOutFor: 'Dauer',
  timedOut: 'Auszeit bis {when}',
  unclaimed: 'Noch nicht übernommen',
  unclaimedMore: 'Diese Person wurde importiert, und noch niemand hat sie übernommen.',
  ban: 'Bannen',
  banAsk: '{name} bannen?',
  banMore: 'Das Mitglied wird sofort vom Server entfernt und kann erst zurück, wenn der Bann aufgehoben ist.',
  reason: 'Grund',
  reasonHint: 'Steht in der Liste der Banns. Andere Mitglieder sehen ihn nicht.',
  search: 'Mitglieder suchen',
  groups: {
    here: 'Online: {count}',
    away: 'Offline: {count}',
    agents: 'Agenten: {count}',
  },
  found: '{count, plural, one {# Mitglied gefunden} other {# Mitglieder gefunden}}',
  none: 'Keine Mitglieder gefunden',
  noneMore: 'Suche nach dem Anfang eines Namens, Benutzernamens oder Spitznamens.',
});

export const panel: typeof english.panel = texts({
  titles: {
    threads: 'Threads',
    pins: 'Angepinnte Nachrichten',
    members: 'Mitglieder',
    search: 'Suche',
    inbox: 'Posteingang',
  },
  resize: 'Breite der Seitenleiste ändern',
  gone: 'Gelöschtes Konto',
  cardLabel: '{author}, {at}',
});

export const pin: typeof english.pin = texts({
  unpin: 'Loslösen',
  none: 'Keine angepinnten Nachrichten',
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
  author: 'Von',
  after: 'Nach dem',
  before: 'Vor dem',
  kind: 'Art',
  kinds: {
    all: 'Alle Nachrichten',
    person: 'Von Personen',
    agent: 'Von Agenten',
    thread: 'Antworten in Threads',
    pinned: 'Angepinnt',
    anything: 'Beliebig',
    file: 'Mit Dateien',
    link: 'Mit Links',
    me: 'Erwähnt mich',
  },
  has: 'Enthält',
  inThread: 'in einem Thread:',
  noText: 'Kein Text',
  found: '{count, plural, =0 {Keine Treffer} one {# Nachricht gefunden} other {# Nachrichten gefunden}}',
  foundFirst:
    '{count, plural, =0 {Keine Treffer} one {Die erste Nachricht wird angezeigt} other {Die ersten # Nachrichten werden angezeigt}}',
  noneMore: 'Nachrichten müssen alle Wörter enthalten. Der Wortanfang reicht.',
  noPerson: 'Niemand hat hier den Benutzernamen {name}.',
  noChannel: 'Es gibt keinen Kanal {name}, oder du kannst ihn nicht sehen.',
  needsWords: 'Gib ein Wort zum Suchen ein, oder wähle einen Kanal oder einen anderen Filter.',
  recent: 'Letzte Suchen',
  forget: 'Leeren',
  hints: [
    {
      form: 'ver pla',
      text: 'findet „veröffentlichung planen“',
    },
    {
      form: '"unser plan"',
      text: 'genaue Wortfolge',
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
      text: 'nach Datum; auch before:',
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
  unread:
    '{count, plural, =1000 {999+ ungelesene Antworten} one {# ungelesene Antwort} other {# ungelesene Antworten}}',
  by: 'Thread von {name}',
  somebody: 'jemandem',
  none: 'Noch keine Threads',
  noneMore:
    'Ein Thread hält ein Thema zusammen, ohne den Kanal zu füllen. Starte ihn bei einer beliebigen Nachricht.',
  follow: 'Thread folgen',
  followed: 'Du wirst bei neuen Antworten benachrichtigt.',
  unfollowed:
    'Du wirst bei neuen Antworten nicht mehr benachrichtigt, außer du schreibst hier, oder jemand erwähnt dich oder antwortet dir.',
  more: 'Thread-Optionen',
  toFirst: 'Zur ersten Nachricht',
  rename: 'Umbenennen',
  lock: 'Sperren',
  unlock: 'Entsperren',
  locked: 'gesperrt',
  lockedMore: 'Dieser Thread ist gesperrt. Nur Admins und die Moderation können antworten.',
  delete: 'Thread löschen',
  deleteAsk: 'Thread löschen?',
  deleteMore:
    '{replies, plural, =0 {Der Thread hat keine Antworten. Die erste Nachricht bleibt im Kanal.} one {Das löscht auch seine Antwort. Die erste Nachricht bleibt im Kanal.} other {Das löscht auch seine # Antworten. Die erste Nachricht bleibt im Kanal.}}',
  notYours: 'Nur für Admins und die Person, die ihn gestartet hat',
  gone: 'Thread nicht gefunden',
  goneMore: 'Er wurde gelöscht, oder du hast keinen Zugriff mehr.',
  rootGone: 'Die erste Nachricht wurde gelöscht.',
  unreadable: 'Thread konnte nicht geladen werden',
  notLoaded: 'Du bist offline',
  notLoadedMore:
    'Dieser Thread wurde auf diesem Gerät noch nicht geöffnet. Er wird geladen, sobald du wieder online bist.',
  unreadableMore: 'Der Server hat nicht geantwortet.',
});
