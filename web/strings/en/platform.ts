import { texts } from '../texts.ts';

/** The texts of the pages for those who administer the platform. */
export const platform = texts({
  title: 'Administration',
  closed: 'These pages are for administrators of the platform',
  closedMore: 'Whoever runs this server can make you one.',
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
    active: 'Active',
    lastAdmin: 'Nobody else would be left to administer the platform.',
    actsOf: 'Actions for {name}',
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
        title: 'Sign {name} out everywhere?',
        text: 'All of their browsers and apps have to sign in again.',
      },
      makeAdmin: {
        title: 'Make {name} a platform admin?',
        text: 'They can do all that you can on these pages.',
      },
      endAdmin: {
        title: 'Take these pages from {name}?',
        text: 'They are no longer a platform admin. The last one always stays.',
      },
      suspend: {
        title: 'Suspend {name}?',
        text: 'Their sessions, keys and agents stop working within a second. Nothing is removed, and all of it counts again once you lift it.',
      },
      lift: {
        title: 'Let {name} in again?',
        text: 'Their sessions, keys and agents count again, if they have not expired.',
      },
    },
    done: 'Done.',
    reached: {
      suspend:
        '{agents, plural, =0 {{name} is suspended.} one {{name} is suspended, with # agent.} other {{name} is suspended, with # agents.}}',
      lift: '{agents, plural, =0 {{name} is let in again.} one {{name} is let in again, with # agent.} other {{name} is let in again, with # agents.}}',
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
    lead: 'A link lets {name} choose a password. Give it to them yourself, and to nobody else.',
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
    once: 'It is shown this only time, and works once, until {until}. Whoever has it gets the account of {name}.',
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
    deleteOf: 'Delete {name}',
    deleteMore:
      '{members, plural, one {It is out of reach at once, for its # member, with all messages and files. There is no way back.} other {It is out of reach at once, for its # members, with all messages and files. There is no way back.}}',
    deleted: '{name} is deleted.',
  },
  apps: {
    lead: 'Apps that servers can install. Verify those of which you know who has made them.',
    kind: 'Which apps',
    kinds: { waiting: 'Waiting', verified: 'Verified' },
    none: { waiting: 'No app waits', verified: 'No app is verified' },
    noneMore: 'Apps come here once a server puts them into the registry.',
    publisher: 'By',
    version: 'Version',
    installs: 'Installs',
    isVerified: 'Verified',
    verify: 'Verify',
    unverify: 'Take back',
    verifyNamed: 'Verify {name}',
    unverifyNamed: 'No longer verify {name}',
    verified: '{name} is verified.',
    unverified: '{name} is no longer verified.',
  },
  audit: {
    lead: 'What administrators and the commands of the operator have changed, the newest first. Kept for 400 days.',
    filter: 'Filter',
    filterHint: 'An act, a person, an identifier',
    onlyLoaded:
      '{count, plural, one {Only the # entry that is loaded is looked through.} other {Only the # entries that are loaded are looked through.}}',
    none: 'Nothing was changed yet',
    noMatch: 'No entry has all of these words',
    act: 'Act',
    by: 'By',
    about: 'About',
    at: 'When',
    person: '{name} (@{username})',
    operator: 'Command, by {account}',
    somebody: 'No admin: {id}',
  },
  health: {
    lead: 'As of {at}. It is looked at anew every ten seconds while you are here.',
    again: 'Look now',
    figures: 'Figures',
    doctor:
      'On its machine, this command looks at more: settings, folders, versions, the mail server and providers.',
    waitingMore: 'Work that is done by and by. Lines show the last ten minutes, since you opened this page.',
    summary:
      '{wrong, plural, =0 {All is well} one {# thing wants your attention} other {# things want your attention}}',
    good: {
      data: 'The database reads and writes.',
      valkey: 'Valkey answers.',
      clock: 'The clocks of this node and the database agree.',
      upkeep: 'Upkeep removes what has expired.',
      space: 'There is room for files: {size}.',
      waiting: 'What was deleted is removed in time.',
      mails: 'Mails are sent.',
      webhooks: 'All webhooks are delivered.',
    },
    wrong: {
      data: 'The database does not answer as it should: {problem}',
      valkey: 'Valkey does not answer: each node counts against the limits by itself, and news come later.',
      clock: 'The clocks of this node and the database differ by {span}. Set them by NTP.',
      upkeep:
        'No node has the duty of upkeep at this moment. If this stays for minutes, look into the logs of the nodes.',
      space: 'The disk with the files is nearly full: {size} are left.',
      waiting:
        'Much of what was deleted waits to be removed: {count} things. It passes by itself after a large deletion.',
      mails: '{count} mails wait to be sent. Look whether the mail server takes them.',
      webhooks:
        '{count, plural, one {# webhook fails, and is tried again. Its receiver does not answer.} other {# webhooks fail, and are tried again. Their receivers do not answer.}}',
      disabled:
        '{count, plural, one {# webhook was disabled, since it failed for too long. Its server can enable it again.} other {# webhooks were disabled, since they failed for too long. Their servers can enable them again.}}',
    },
    chart: '{what}: {count} now',
    waits: {
      sweeps: 'Deleted things',
      closings: 'Closed accounts',
      fileRemovals: 'Deleted files',
      failingWebhooks: 'Failing webhooks',
    },
    tiles: {
      version: 'Version',
      schema: 'tables of version {schema}',
      uptime: 'Runs for',
      ofNode: 'the node that has answered',
      nodes: 'Nodes',
      engine: { sqlite: 'on SQLite', postgres: 'on PostgreSQL' },
      space: 'Free space',
      files: { folder: 'on the disk with the files', bucket: 'files lie in a bucket' },
    },
  },
});

/** The texts of the load of the platform. */
export const platformHealth = texts({
  title: 'Load',
  lead: 'Of the node that has answered: figures of its /metrics, since the look before.',
  guide: 'All figures, for Prometheus',
  chart: '{what}: {value} now',
  loads: {
    requests: 'Requests a second',
    duration: 'Time for a request',
    limited: 'Limited, a second',
    failed: 'Failed, a second',
    writes: 'Writes a second',
    streams: 'Open streams',
    cpu: 'Processor',
    memory: 'Memory',
  },
});

/** The texts of the settings that may change while the server runs. */
export const platformSettings = texts({
  lead: 'A change here counts on every node within a second, before the settings with which the server was started.',
  changed: 'Changed.',
  sources: {
    platform: 'Set here',
    flag: 'From the command line',
    environment: 'From the environment',
    file: 'From the config file',
    default: 'As delivered',
  },
  otherwise: 'Without the change here: {value}. {source}.',
  takeBack: 'Take the change back',
  names: {
    signUp: {
      title: 'Who may sign up',
      about: 'A link that you make for somebody lets them in in any case.',
      values: {
        open: 'Anybody',
        invite: 'With an invite',
        closed: 'Nobody',
      },
    },
    fileMegabytes: {
      title: 'Size of a file',
      about:
        'Larger ones are refused. Those that are there stay. A proxy in front may have a limit of its own.',
      after: 'MB',
      unit: '{value, plural, one {# megabyte} other {# megabytes}}',
    },
    eventDays: {
      title: 'Events are kept for',
      about:
        'Clients and webhooks can catch up so far back. Fewer days remove older events within minutes, for good.',
      after: 'days',
      unit: '{value, plural, one {# day} other {# days}}',
    },
  },
  between: 'A whole number from {min} to {max}.',
  others: 'All other settings',
  othersMore:
    'They are read when the server starts: from the command line, the environment or the config file. These are of the node that has answered; passwords and keys are left out.',
  setting: 'Setting',
  value: 'Value',
  source: 'Where it comes from',
  empty: 'Empty',
  guide: 'Every setting, in the documentation',
});
