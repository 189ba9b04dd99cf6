import type { resources } from './index.ts';

const purposes = {
  app: 'Custom apps, and the registry that other servers install them from',
  appInstall: 'Apps that a server has installed',
  channel: 'Where messages are sent',
  event: 'What happens, as it happens',
  flow: 'Automations of a server',
  indicator: 'Who is typing, who is present',
  invite: 'Ways into a server',
  message: 'Send, edit, delete and search messages',
  notification: 'Mentions, replies and thread replies',
  pin: 'Messages that stay at hand',
  reaction: 'Emoji on messages',
  role: 'What keys and members may do',
  secret: "API keys, and apps' secrets",
  server: 'Servers and their settings',
  serverMember: 'Who belongs to a server',
  thread: 'Conversations beside a channel',
  user: 'Profiles',
  userRole: 'Which members have which roles',
  webhook: 'Events sent to other programs, and messages taken from them',
} satisfies Record<keyof typeof resources, string>;

/** `appInstall` as `App install`. */
const titleOf = (name: string): string =>
  name
    .replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
    .replace(/^./, (letter) => letter.toUpperCase());

/** The groups of the API, as the documents show them. */
export const tags = Object.entries(purposes).map(([name, description]) => ({
  name,
  description,
  'x-displayName': `${titleOf(name)}s`,
}));
