import { number, plural } from '../format.ts';

/** The texts of the pages for those who administer the platform. */
export const platform = {
  title: 'Administration',
  closed: 'These pages are for administrators of the platform',
  closedMore: 'Whoever runs this server can make you one.',
  more: 'Show more',
  actions: 'Actions',
  sections: {
    health: 'Health',
    users: 'Users',
    servers: 'Servers',
    apps: 'Apps',
    settings: 'Settings',
    audit: 'Audit log',
  },
  users: {
    lead: 'Everybody with a name here, the newest first. You see accounts, never what people write.',
    search: 'Find by username or name',
    searchHint: 'The beginning of it',
    among: 'Which users',
    amongs: { all: 'Everybody', admins: 'Admins', suspended: 'Suspended' },
    none: 'Nobody is like that',
    noneMore: 'Names are found by their beginning.',
    user: 'User',
    state: 'State',
    since: 'Since',
    suspended: 'Suspended',
    admin: 'Platform admin',
    agent: 'Agent',
    active: 'Active',
    lastAdmin: 'Nobody else would be left to administer the platform.',
    actsOf: (name: string) => `Actions for ${name}`,
    acts: {
      look: 'Details',
      link: 'Make a one-time link',
      signOut: 'Sign out everywhere',
      makeAdmin: 'Make platform admin',
      endAdmin: 'No longer platform admin',
      suspend: 'Suspend',
      lift: 'Lift suspension',
    },
    confirm: {
      signOut: {
        title: (name: string) => `Sign ${name} out everywhere?`,
        text: 'All of their browsers and apps have to sign in again.',
      },
      makeAdmin: {
        title: (name: string) => `Make ${name} a platform admin?`,
        text: 'They can do all that you can on these pages.',
      },
      endAdmin: {
        title: (name: string) => `Take these pages from ${name}?`,
        text: 'They are no longer a platform admin. The last one always stays.',
      },
      suspend: {
        title: (name: string) => `Suspend ${name}?`,
        text: 'Their sessions, keys and agents stop working within a second. Nothing is removed, and all of it counts again once you lift it.',
      },
      lift: {
        title: (name: string) => `Let ${name} in again?`,
        text: 'Their sessions, keys and agents count again, if they have not expired.',
      },
    },
    done: 'Done.',
    reached: {
      suspend: (name: string, agents: number) =>
        plural(agents, {
          zero: `${name} is suspended.`,
          one: `${name} is suspended, with # agent.`,
          other: `${name} is suspended, with # agents.`,
        }),
      lift: (name: string, agents: number) =>
        plural(agents, {
          zero: `${name} is let in again.`,
          one: `${name} is let in again, with # agent.`,
          other: `${name} is let in again, with # agents.`,
        }),
    },
    facts: {
      username: 'Username',
      id: 'Identifier',
      since: 'Here since',
      account: 'Account',
      yes: 'Signs in',
      noAccount: 'None yet: it waits to be claimed',
      email: 'E-mail address',
      none: 'None',
      secondFactor: 'Second factor',
      on: 'On',
      off: 'Off',
      sessions: 'Sessions',
      lastUsed: 'Last use',
      never: 'Never',
      servers: 'Servers',
      suspended: 'Suspended since',
    },
  },
  link: {
    lead: (name: string) =>
      `A link lets ${name} choose a password. Give it to them yourself, and to nobody else.`,
    purpose: 'For what',
    purposes: {
      password: {
        label: 'A new password',
        hint: 'Ends all of their sessions. A second factor is still asked for. Good for a day.',
      },
      claim: {
        label: 'A first password',
        hint: 'For an account that nobody has claimed yet. Good for seven days.',
      },
      recovery: {
        label: 'They have lost their second factor, too',
        hint: 'Also takes away the second factor, passkeys, accounts at providers and the e-mail address. Make sure that it is them. Good for a day.',
      },
    },
    make: 'Make the link',
    made: 'The link',
    once: (name: string, until: string) =>
      `It is shown this only time, and works once, until ${until}. Whoever has it gets the account of ${name}.`,
    copy: 'Copy the link',
    kept: 'I have it',
  },
  servers: {
    lead: 'Every server with its size. You see nothing of what is in those of which you are no member.',
    search: 'Find by name',
    searchHint: 'The beginning of it',
    none: 'There is no such server',
    server: 'Server',
    members: 'Members',
    files: 'Files',
    since: 'Since',
    private: 'Private',
    delete: 'Delete server',
    deleteOf: (name: string) => `Delete ${name}`,
    deleteMore: (members: number) =>
      plural(members, {
        one: 'It is out of reach at once, for its # member, with all messages and files. There is no way back.',
        other:
          'It is out of reach at once, for its # members, with all messages and files. There is no way back.',
      }),
    deleted: (name: string) => `${name} is deleted.`,
  },
  apps: {
    lead: 'Apps that servers can install. Verify those of which you know who has made them.',
    kind: 'Which apps',
    kinds: { waiting: 'Waiting', verified: 'Verified' },
    none: { waiting: 'No app waits', verified: 'No app is verified' },
    noneMore: 'Apps come here once a server puts them into the registry.',
    app: 'App',
    publisher: 'By',
    version: 'Version',
    installs: 'Installs',
    isVerified: 'Verified',
    verify: 'Verify',
    unverify: 'Take back',
    verifyNamed: (name: string) => `Verify ${name}`,
    unverifyNamed: (name: string) => `No longer verify ${name}`,
    verified: (name: string) => `${name} is verified.`,
    unverified: (name: string) => `${name} is no longer verified.`,
  },
  audit: {
    lead: 'What administrators and the commands of the operator have changed, the newest first. Kept for 400 days.',
    filter: 'Filter',
    filterHint: 'An act, a person, an identifier',
    onlyLoaded: (count: number) =>
      plural(count, {
        one: 'Only the # entry that is loaded is looked through.',
        other: 'Only the # entries that are loaded are looked through.',
      }),
    none: 'Nothing was changed yet',
    noMatch: 'No entry has all of these words',
    act: 'Act',
    by: 'By',
    about: 'About',
    at: 'When',
    person: (name: string, username: string) => `${name} (@${username})`,
    operator: (account: string) => `Command, by ${account}`,
    somebody: (id: string) => `No admin: ${id}`,
  },
  health: {
    lead: (at: string) => `As of ${at}. It is looked at anew every ten seconds while you are here.`,
    again: 'Look now',
    figures: 'Figures',
    doctor:
      'On its machine, this command looks at more: settings, folders, versions, the mail server and providers.',
    waiting: 'Waiting',
    waitingMore: 'Work that is done by and by. Lines show the last ten minutes, since you opened this page.',
    summary: (wrong: number) =>
      plural(wrong, {
        zero: 'All is well',
        one: '# thing wants your attention',
        other: '# things want your attention',
      }),
    good: {
      data: 'The database reads and writes.',
      valkey: 'Valkey answers.',
      clock: 'The clocks of this node and the database agree.',
      upkeep: 'Upkeep removes what has expired.',
      space: (size: string) => `There is room for files: ${size}.`,
      waiting: 'What was deleted is removed in time.',
      mails: 'Mails are sent.',
      webhooks: 'All webhooks are delivered.',
    },
    wrong: {
      data: (problem: string) => `The database does not answer as it should: ${problem}`,
      valkey: 'Valkey does not answer: each node counts against the limits by itself, and news come later.',
      clock: (span: string) => `The clocks of this node and the database differ by ${span}. Set them by NTP.`,
      upkeep:
        'No node has the duty of upkeep at this moment. If this stays for minutes, look into the logs of the nodes.',
      space: (size: string) => `The disk with the files is nearly full: ${size} are left.`,
      waiting: (count: number) =>
        `Much of what was deleted waits to be removed: ${number(count)} things. It passes by itself after a large deletion.`,
      mails: (count: number) =>
        `${number(count)} mails wait to be sent. Look whether the mail server takes them.`,
      webhooks: (count: number) =>
        plural(count, {
          one: '# webhook fails, and is tried again. Its receiver does not answer.',
          other: '# webhooks fail, and are tried again. Their receivers do not answer.',
        }),
      disabled: (count: number) =>
        plural(count, {
          one: '# webhook was disabled, since it failed for too long. Its server can enable it again.',
          other:
            '# webhooks were disabled, since they failed for too long. Their servers can enable them again.',
        }),
    },
    chart: (what: string, count: number) => `${what}: ${number(count)} now`,
    waits: {
      sweeps: 'Deleted things',
      closings: 'Closed accounts',
      fileRemovals: 'Deleted files',
      failingWebhooks: 'Failing webhooks',
    },
    tiles: {
      version: 'Version',
      schema: (schema: number) => `tables of version ${number(schema)}`,
      uptime: 'Runs for',
      ofNode: 'the node that has answered',
      nodes: 'Nodes',
      engine: { sqlite: 'on SQLite', postgres: 'on PostgreSQL' },
      space: 'Free space',
      files: { folder: 'on the disk with the files', bucket: 'files lie in a bucket' },
    },
  },
};
