import type { frame as english } from '../en/frame.ts';
import { number, plural } from '../format.ts';

export const frame: typeof english = {
  skip: 'Zum Gespräch springen',
  servers: 'Server',
  panel: 'Neben dem Gespräch',
  createServer: 'Server erstellen',
  upTo99: (count) => (count > 99 ? '99+' : number(count)),
  serverWith: (name, unread, mentions) => {
    if (mentions > 0) return `${name}, ${plural(mentions, { one: '# Erwähnung', other: '# Erwähnungen' })}`;
    return unread > 0 ? `${name}, ungelesene Nachrichten` : name;
  },
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
  createChannel: 'Kanal erstellen',
  firstSteps: 'Erste Schritte',
  hideSteps: 'Erste Schritte ausblenden',
  stepsDone: (done, all) => `${number(done)} von ${number(all)}`,
  stepDone: ' (erledigt)',
  steps: {
    profile: 'Dein Name und Bild',
    invite: 'Leute einladen',
    channel: 'Kanal erstellen',
    key: 'API-Schlüssel erstellen',
    webhook: 'GitHub oder Grafana verbinden',
    bot: 'Einen Bot bauen',
  },
  welcome: (name) => `Willkommen, ${name}`,
  welcomeHere: 'Willkommen',
  hideWelcome: 'Begrüßung ausblenden',
  firstServer:
    'Ein Server ist ein Ort für ein Team oder eine Community, mit eigenen Kanälen und Mitgliedern.',
  makeOne: 'Eigenen starten',
  makeOneMore: 'Du leitest ihn und lädst ein, wen du möchtest.',
  joinOne: 'Einem beitreten',
  joinOneMore: 'Jemand hat dir einen Link zu einem Server geschickt.',
  invitePrompt: 'Einladungslink',
  inviteExample: (origin) => `${origin}/invite/…`,
  openInvite: 'Einladung öffnen',
  notAnInvite: 'Das ist kein Einladungslink dieses Servers.',
};
