import type * as english from '../en/frame.ts';
import { texts } from '../texts.ts';

export const channel: typeof english.channel = texts({
  channels: 'Kanäle',
  none: 'Du hast hier keinen Zugriff auf Kanäle.',
  favorites: 'Favoriten',
  favorite: 'Zu den Favoriten hinzufügen',
  unfavorite: 'Aus den Favoriten entfernen',
  join: 'Beitreten',
  listOptions: 'Optionen der Kanalliste',
  noneYet: 'Unterhaltungen finden in Kanälen statt. Erstelle den ersten.',
  rowWith: '{name}: {facts, list}',
  facts: {
    private: 'privat',
    readonly: 'schreibgeschützt',
    mentions: '{count, plural, =1000 {999+ Erwähnungen} one {# Erwähnung} other {# Erwähnungen}}',
    unread:
      '{count, plural, =1000 {999+ ungelesene Nachrichten} one {# ungelesene Nachricht} other {# ungelesene Nachrichten}}',
    stopped: 'nicht gesendete Nachricht',
    draft: 'Entwurf',
    muted: 'stummgeschaltet',
    left: 'nicht beigetreten',
  },
  back: 'Zurück zu den Kanälen',
  call: 'Anruf starten oder beitreten',
  panels: {
    pins: 'Angepinnte Nachrichten',
    threads: 'Threads',
    members: 'Mitglieder',
    search: 'Suche',
  },
  kept: '{count, plural, one {Nachrichten bleiben einen Tag} other {Nachrichten bleiben # Tage}}',
  keptMore:
    '{count, plural, one {Nachrichten hier werden nach einem Tag gelöscht.} other {Nachrichten hier werden nach # Tagen gelöscht.}}',
  more: 'Optionen für diesen Kanal',
  moreOf: 'Optionen für {name}',
});

export const direct: typeof english.direct = texts({
  title: 'Direktnachrichten',
  titleWith:
    '{count, plural, =0 {Direktnachrichten} one {Direktnachrichten: # ungelesen} other {Direktnachrichten: # ungelesen}}',
  start: 'Neue Nachricht',
  add: 'Personen hinzufügen',
  seeAll: 'Alle ansehen ({count})',
  none: 'Noch keine Direktnachrichten',
  noneMore: 'Schreib Mitgliedern deiner Server. Nur die Beteiligten sehen die Unterhaltung.',
  members: '{count, plural, one {# Person} other {# Personen}}',
  left: '{count, plural, one {{names} ist nicht mehr auf diesem Server.} other {{names} sind nicht mehr auf diesem Server.}}',
  beginning: 'Hier beginnt deine Unterhaltung mit {name}',
  beginningMore: 'Noch keine Nachrichten. Nur die Beteiligten sehen diese Unterhaltung.',
});

export const frame: typeof english.frame = texts({
  skip: 'Zur Unterhaltung springen',
  panel: 'Seitenleiste',
  serverMentions: '{name}, {count, plural, one {# Erwähnung} other {# Erwähnungen}}',
  serverUnread: '{name}, ungelesene Nachrichten',
  offline: 'Du bist offline. Nachrichten werden gesendet, sobald du wieder online bist.',
  connecting: 'Verbindung wird hergestellt …',
  now: 'Jetzt erneut versuchen',
  noChannel: 'Kein Kanal ausgewählt',
  noChannelMore: 'Wähle einen aus der Liste.',
  noSuchChannel: 'Kanal nicht gefunden',
  noSuchChannelMore: 'Diesen Kanal gibt es nicht, oder du kannst ihn nicht sehen.',
  toChannels: 'Zurück zu den Kanälen',
  noChannels: 'Noch keine Kanäle',
  noChannelsMore: 'Unterhaltungen finden in Kanälen statt. Erstelle den ersten.',
  noChannelsSeen: 'Bitte einen Admin, einen Kanal zu erstellen oder dir Zugriff zu geben.',
  firstSteps: 'Erste Schritte',
  hideSteps: 'Diese Schritte ausblenden',
  stepsDone: '{done} von {all}',
  stepDone: ' (erledigt)',
  steps: {
    profile: 'Name und Bild einstellen',
    invite: 'Leute einladen',
    channel: 'Kanal erstellen',
    key: 'API-Schlüssel erstellen',
    webhook: 'GitHub oder Grafana verbinden',
    bot: 'Einen Bot bauen',
  },
  welcomeHere: 'Willkommen',
  hideWelcome: 'Begrüßung ausblenden',
  welcome: 'Willkommen, {name}',
  firstServer:
    'Ein Server ist ein Zuhause für ein Team oder eine Community, mit eigenen Kanälen und Mitgliedern.',
  makeOne: 'Eigenen erstellen',
  makeOneMore: 'Du betreibst ihn und entscheidest, wer beitritt.',
  joinOne: 'Einem Server beitreten',
  joinOneMore: 'Mit einem Einladungslink, den dir jemand geschickt hat.',
  invitePrompt: 'Einladungslink',
  inviteExample: '{origin}/invite/…',
  openInvite: 'Einladung öffnen',
  notAnInvite: 'Das ist kein Einladungslink für diesen Server.',
});

export const menu: typeof english.menu = texts({
  menu: '{name}: dein Menü',
  palette: 'Suche und Befehle …',
  later: 'Gespeichert und geplant',
  platform: 'Plattform',
  docs: 'Dokumentation',
});

export const notification: typeof english.notification = texts({
  inbox: 'Posteingang',
  inboxWith:
    '{count, plural, =0 {Posteingang} one {Posteingang: # ungelesen} other {Posteingang: # ungelesen}}',
  told: {
    mention: '{name} hat dich erwähnt',
    group: '{name} hat {group} erwähnt',
    reply: '{name} hat dir geantwortet',
    thread: '{name} hat in einem Thread geantwortet',
    direct: '{name} hat dir geschrieben',
    reaction: '{name} hat auf deine Nachricht reagiert',
    reminder: 'Erinnerung: Nachricht von {name}',
    schedule: 'Eine geplante Nachricht konnte nicht gesendet werden',
    report: '{name} hat eine Nachricht gemeldet',
    flow: 'Der Flow {name} braucht Aufmerksamkeit',
  },
  show: 'Anzeigen',
  kinds: {
    all: 'Alles',
    unread: 'Ungelesen',
    mention: 'Erwähnungen',
    reply: 'Antworten',
    thread: 'Threads',
    direct: 'Direktnachrichten',
    reaction: 'Reaktionen',
  },
  noneOfKind: 'Hier ist nichts',
  unread: 'Ungelesen: ',
  read: 'Als gelesen markieren',
  readAll: 'Alle als gelesen markieren',
  clearAll: 'Alle entfernen',
  clearAsk: 'Alle Benachrichtigungen entfernen?',
  clearMore: 'Das entfernt die Benachrichtigungen aller Server, gelesen oder nicht. Die Nachrichten bleiben.',
  more: 'Optionen für den Posteingang',
  none: 'Alles gelesen',
  noneMore: 'Erwähnungen, Antworten, Reaktionen und Direktnachrichten erscheinen hier.',
  goneMessage: 'Diese Nachricht wurde gelöscht, oder du hast keinen Zugriff mehr.',
  removed: 'Du bist kein Mitglied von {server} mehr.',
  device: 'Benachrichtigungen in diesem Browser anzeigen',
  deviceHint:
    'Nur solange diese Seite im Hintergrund oder geschlossen ist, und nie aus stummgeschalteten Kanälen oder bei „Bitte nicht stören“.',
  deviceRefused:
    'Benachrichtigungen sind blockiert. Erlaube sie in den Einstellungen deines Browsers für diese Website.',
  notices: {
    message: '{name} in {channel}',
    mention: '{name} hat dich in {channel} erwähnt',
    group: '{name} hat {group} in {channel} erwähnt',
    reply: '{name} hat dir in {channel} geantwortet',
    thread: '{name} hat in einem Thread in {channel} geantwortet',
    direct: '{name} hat dir geschrieben',
    reminder: 'Erinnerung: Nachricht von {name} in {channel}',
    schedule: 'Eine geplante Nachricht in {channel} konnte nicht gesendet werden',
    flow: 'Der Flow {name} braucht Aufmerksamkeit',
  },
});

export const presence: typeof english.presence = texts({
  statuses: {
    online: 'Online',
    idle: 'Abwesend',
    dnd: 'Bitte nicht stören',
    invisible: 'Unsichtbar',
  },
  short: {
    online: 'Online',
    idle: 'Abwesend',
    dnd: 'Beschäftigt',
    invisible: 'Unsichtbar',
  },
  setText: 'Status setzen …',
  changeText: 'Status: {text}',
  title: 'Dein Status',
  text: 'Status',
  textPrompt: 'In einer Besprechung, im Urlaub …',
  until: 'Löschen nach',
  ends: {
    never: 'Nicht löschen',
    halfHour: '30 Minuten',
    hour: '1 Stunde',
    fourHours: '4 Stunden',
    today: 'Heute',
    week: 'Diese Woche',
  },
  shownAs: 'Verfügbarkeit',
});

export const server: typeof english.server = texts({
  createMore:
    'Ein Server ist ein Raum für eine Gruppe, mit eigenen Kanälen, Rollen und Apps. Du entscheidest, wer beitritt.',
  adminsCreate: 'Auf dieser Plattform können nur Admins Server erstellen. Bitte sie um einen Server.',
  name: 'Name des Servers',
  make: 'Erstellen',
  firstChannel: 'allgemein',
  menuWith: '{name}, {count, plural, one {# Mitglied} other {# Mitglieder}}: Servermenü',
  members: '{count, plural, one {# Mitglied} other {# Mitglieder}}',
});
