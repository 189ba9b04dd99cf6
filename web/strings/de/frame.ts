import type * as english from '../en/frame.ts';
import { texts } from '../texts.ts';

export const channel: typeof english.channel = texts({
  channels: 'Kanäle',
  none: 'Hier gibt es keinen Kanal, den du siehst.',
  noneYet: 'Gesprochen wird in Kanälen. Erstelle den ersten.',
  rowWith: '{name}: {facts, list}',
  facts: {
    private: 'privat',
    readonly: 'nur lesen',
    mentions: '{count, plural, one {# Erwähnung} other {# Erwähnungen}}',
    unread: '{count, plural, one {# ungelesene Nachricht} other {# ungelesene Nachrichten}}',
    stopped: 'eine Nachricht, die nicht gesendet wurde',
    draft: 'ein Entwurf',
    muted: 'stummgeschaltet',
  },
  back: 'Zurück zu den Kanälen',
  panels: {
    pins: 'Angepinnte Nachrichten',
    threads: 'Threads',
    members: 'Mitglieder',
    search: 'Suche',
  },
  more: 'Mehr zu diesem Kanal',
  moreOf: 'Mehr zu {name}',
});

export const frame: typeof english.frame = texts({
  skip: 'Zum Gespräch springen',
  panel: 'Neben dem Gespräch',
  serverMentions: '{name}, {count, plural, one {# Erwähnung} other {# Erwähnungen}}',
  serverUnread: '{name}, ungelesene Nachrichten',
  offline: 'Du bist offline. Was du sendest, wird aufbewahrt und geht raus, sobald du wieder da bist.',
  connecting: 'Verbindung zum Server wird hergestellt …',
  now: 'Jetzt versuchen',
  noChannel: 'Kein Kanal ist offen',
  noChannelMore: 'Wähle einen aus der Liste.',
  noSuchChannel: 'Diesen Kanal gibt es hier nicht',
  noSuchChannelMore: 'Er wurde gelöscht, oder du darfst ihn nicht mehr sehen.',
  toChannels: 'Zurück zu den Kanälen',
  noChannels: 'Es gibt noch keinen Kanal',
  noChannelsMore: 'Gesprochen wird in Kanälen. Erstelle den ersten.',
  noChannelsSeen: 'Wer diesen Server leitet, muss einen erstellen oder für dich sichtbar machen.',
  firstSteps: 'Erste Schritte',
  hideSteps: 'Erste Schritte ausblenden',
  stepsDone: '{done} von {all}',
  stepDone: ' (erledigt)',
  steps: {
    profile: 'Dein Name und Bild',
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
    'Ein Server ist ein Ort für ein Team oder eine Community, mit eigenen Kanälen und Mitgliedern.',
  makeOne: 'Eigenen starten',
  makeOneMore: 'Du leitest ihn und lädst ein, wen du möchtest.',
  joinOne: 'Einem beitreten',
  joinOneMore: 'Jemand hat dir einen Link zu einem Server geschickt.',
  invitePrompt: 'Einladungslink',
  inviteExample: '{origin}/invite/…',
  openInvite: 'Einladung öffnen',
  notAnInvite: 'Das ist kein Einladungslink dieses Servers.',
});

export const menu: typeof english.menu = texts({
  menu: '{name}: dein Menü',
  palette: 'Hingehen oder tun …',
  platform: 'Plattform',
  docs: 'Dokumentation',
});

export const notification: typeof english.notification = texts({
  inbox: 'Posteingang',
  inboxWith:
    '{count, plural, =0 {Posteingang} one {Posteingang: # ungelesen} other {Posteingang: # ungelesen}}',
  told: {
    mention: '{name} hat dich erwähnt',
    reply: '{name} hat dir geantwortet',
    thread: '{name} hat in einem Thread geantwortet',
  },
  unread: 'Ungelesen: ',
  read: 'Als gelesen markieren',
  readAll: 'Alle als gelesen markieren',
  clearAll: 'Alle entfernen',
  clearAsk: 'Alle Benachrichtigungen entfernen?',
  clearMore: 'Die von allen Servern verschwinden, gelesen oder nicht. Die Nachrichten bleiben.',
  more: 'Mehr zum Posteingang',
  none: 'Nichts hier',
  noneMore: 'Hier kommen Erwähnungen von dir, Antworten an dich und Antworten in deinen Threads an.',
  goneMessage: 'Diese Nachricht wurde gelöscht, oder du darfst sie nicht mehr sehen.',
  removed: 'Du bist nicht mehr auf {server}.',
  device: 'In diesem Browser benachrichtigen',
  deviceHint:
    'Solange diese Seite im Hintergrund ist. Stummgeschaltete Kanäle und der Status „Bitte nicht stören“ bleiben still.',
  deviceRefused:
    'Dein Browser lässt diese Seite dich nicht benachrichtigen. In seinen Einstellungen für diese Website kannst du es erlauben.',
  notices: {
    message: '{name} in {channel}',
    mention: '{name} hat dich in {channel} erwähnt',
    reply: '{name} hat dir in {channel} geantwortet',
    thread: '{name} hat in einem Thread in {channel} geantwortet',
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
  textPrompt: 'In einer Besprechung, im Urlaub, …',
  until: 'Verschwindet',
  ends: {
    never: 'Wenn ich ihn entferne',
    halfHour: 'In 30 Minuten',
    hour: 'In einer Stunde',
    fourHours: 'In 4 Stunden',
    today: 'Am Ende des Tages',
    week: 'Am Ende der Woche',
  },
  shownAs: 'Andere sehen dich als',
});

export const server: typeof english.server = texts({
  createMore:
    'Ein Server ist ein Ort für eine Gruppe, mit eigenen Kanälen, Rollen und Apps. Du entscheidest, wer kommt.',
  name: 'Name des Servers',
  make: 'Erstellen',
  firstChannel: 'allgemein',
  menuWith: '{name}, {count, plural, one {# Mitglied} other {# Mitglieder}}: Menü des Servers',
  members: '{count, plural, one {# Mitglied} other {# Mitglieder}}',
});
