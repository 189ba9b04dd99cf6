import { list } from '../format.ts';

/** The settings of a server: their navigation, and words that several sections use. */
export const serverSettings = {
  title: 'Server settings',
  back: 'Back to the server',
  missing: 'There is no such page in these settings.',
  missingMore: 'The server may have been deleted, or you may have left it.',
  groups: { server: 'Server', people: 'People', programs: 'Programs', records: 'Records' },
  sections: {
    overview: 'Overview',
    channels: 'Channels',
    roles: 'Roles',
    members: 'Members',
    invites: 'Invites',
    bans: 'Bans',
    keys: 'API keys',
    webhooks: 'Webhooks',
    apps: 'Apps',
    flows: 'Flows',
    audit: 'Audit log',
    usage: 'Usage',
    danger: 'Danger zone',
  },
  edit: 'Edit',
  choose: 'Choose',
  kept: 'I have kept it',
  copyNamed: (what: string) => `Copy: ${what}`,
  findMember: 'Find a member',
  noMember: 'Nobody of that name',
  noMemberMore: 'Names, nicknames and usernames are searched by the beginnings of their words.',
  actionsFor: (name: string) => `Actions for ${name}`,
  created: (when: string) => `Made ${when}`,
  by: 'by',
  never: 'Never',
  closed: 'You may not do that.',
  lastAdmin:
    'Nobody else would be left to run this server. Give another member a role with “Administrator” first.',
  needs: (name: string) => `This needs a role with “${name}”.`,
  needsOneOf: (names: readonly string[]) => `This needs a role with one of: ${list(names)}.`,
  somebody: 'Somebody who has left',
  operator: 'The operator',
  json: {
    missing: 'Write some JSON here.',
    noList: 'This has to be a list: [ … ].',
    wrong: (why: string) => `This is not valid JSON: ${why}`,
  },
  saved: 'Saved.',
  notSaved: (why: string) => `Not saved, and undone: ${why}`,
  flags: {
    canAdmin: {
      name: 'Administrator',
      allows:
        'Everything below, roles, and every private channel. Give it to people you would hand the server to.',
    },
    canEditServer: {
      name: 'Manage the server',
      allows: 'Change its name, picture, welcome, channels and own apps.',
    },
    canEditChannel: {
      name: 'Manage channels',
      allows: 'Create, change and delete channels and own apps; pin messages.',
    },
    canEditData: {
      name: 'Take part',
      allows: 'Send messages, start threads, react, and make invites.',
    },
    canModerate: {
      name: 'Moderate',
      allows:
        'Remove, edit and pin messages of others, kick and ban, lock threads, and write in read-only channels.',
    },
    canEditApp: {
      name: 'Manage programs',
      allows: 'API keys, webhooks, flows, and which apps are installed.',
    },
    canViewData: {
      name: 'See programs',
      allows: 'See the installed apps with their settings, and the flows.',
    },
  },
};
