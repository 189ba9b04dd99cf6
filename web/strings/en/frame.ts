import { number, plural } from '../format.ts';

const upTo99 = (count: number) => (count > 99 ? '99+' : number(count));

/** The texts around the pages of somebody who is signed in. */
export const frame = {
  skip: 'Skip to the conversation',
  servers: 'Servers',
  panel: 'Beside the conversation',
  createServer: 'Make a server',
  upTo99,
  /** A server in the list, for those who hear it. */
  serverWith: (name: string, unread: number, mentions: number) => {
    if (mentions > 0) return `${name}, ${plural(mentions, { one: '# mention', other: '# mentions' })}`;
    return unread > 0 ? `${name}, unread messages` : name;
  },
  offline: 'You are offline. Messages that you send are kept, and go out when you are back.',
  connecting: 'Connecting to the server…',
  now: 'Try now',
  noChannel: 'No channel is open',
  noChannelMore: 'Choose one from the list.',
  noSuchChannel: 'This channel is not here',
  noSuchChannelMore: 'It was deleted, or you may no longer see it.',
  toChannels: 'Back to the channels',
  noChannels: 'There is no channel yet',
  noChannelsMore: 'People talk in channels. Make the first one.',
  noChannelsSeen: 'Those who run this server have to make one, or let you see it.',
  createChannel: 'Make a channel',
  firstSteps: 'First steps',
  hideSteps: 'Hide the first steps',
  stepsDone: (done: number, all: number) => `${number(done)} of ${number(all)}`,
  stepDone: ' (done)',
  steps: {
    profile: 'Your name and picture',
    invite: 'Invite people',
    channel: 'Make a channel',
    key: 'Get an API key',
    webhook: 'Connect GitHub or Grafana',
    bot: 'Build a bot',
  },
  welcomeHere: 'Welcome',
  hideWelcome: 'Hide the welcome',
  welcome: (name: string) => `Welcome, ${name}`,
  firstServer: 'A server is a place for a team or a community, with its own channels and members.',
  makeOne: 'Start your own',
  makeOneMore: 'You run it, and invite whom you want.',
  joinOne: 'Join one',
  joinOneMore: 'Somebody has sent you a link to their server.',
  invitePrompt: 'Invite link',
  inviteExample: (origin: string) => `${origin}/invite/…`,
  openInvite: 'Open the invite',
  notAnInvite: 'That is no invite link of this server.',
};
