import { texts } from '../texts.ts';

/** Platform administration. */
export const platform = texts({
  title: 'Administration',
  closed: 'These pages are for platform admins',
  closedMore: 'The people who run this server can make you one.',
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
    lead: 'All users, newest first. You can see their accounts, but not what they write.',
    search: 'Search by username or name',
    searchHint: 'The start of a name',
    among: 'Filter users',
    amongs: { all: 'All', admins: 'Admins', suspended: 'Suspended' },
    none: 'No users found',
    noneMore: 'Search by the start of a name.',
    user: 'User',
    state: 'Status',
    since: 'Joined',
    suspended: 'Suspended',
    admin: 'Platform admin',
    active: 'Active',
    lastAdmin: 'The platform needs at least one admin.',
    actsOf: 'Actions for {name}',
    acts: {
      look: 'Details',
      link: 'Create one-time link',
      signOut: 'Sign out everywhere',
      makeAdmin: 'Make platform admin',
      endAdmin: 'Remove platform admin',
      suspend: 'Suspend',
      lift: 'Lift suspension',
    },
    confirm: {
      signOut: {
        title: 'Sign {name} out everywhere?',
        text: 'All of their browsers and apps will need to sign in again.',
      },
      makeAdmin: {
        title: 'Make {name} a platform admin?',
        text: "They'll be able to do everything you can do on these pages.",
      },
      endAdmin: {
        title: 'Remove {name} as platform admin?',
        text: "They lose access to these pages. The last platform admin can't be removed.",
      },
      suspend: {
        title: 'Suspend {name}?',
        text: 'Their sessions, API keys and agents stop working immediately. Nothing is deleted, and everything works again when you lift the suspension.',
      },
      lift: {
        title: 'Lift the suspension of {name}?',
        text: 'Their sessions, API keys and agents work again unless they have expired.',
      },
    },
    done: 'Done.',
    reached: {
      suspend:
        '{agents, plural, =0 {{name} was suspended.} one {{name} and # agent were suspended.} other {{name} and # agents were suspended.}}',
      lift: '{agents, plural, =0 {{name} is no longer suspended.} one {{name} and # agent are no longer suspended.} other {{name} and # agents are no longer suspended.}}',
    },
    facts: {
      username: 'Username',
      id: 'ID',
      since: 'Joined',
      account: 'Account',
      yes: 'Can sign in',
      noAccount: 'Not claimed yet',
      email: 'Email address',
      none: 'None',
      secondFactor: 'Two-factor authentication',
      on: 'On',
      off: 'Off',
      sessions: 'Sessions',
      lastUsed: 'Last used',
      never: 'Never',
      servers: 'Servers',
      suspended: 'Suspended',
    },
  },
  link: {
    lead: 'Create a link that lets {name} set a password. Give it to them personally, and to nobody else.',
    purpose: 'Purpose',
    purposes: {
      password: {
        label: 'Reset password',
        hint: 'Signs out all of their sessions. Two-factor authentication still applies. Works for a day.',
      },
      claim: {
        label: 'Set a first password',
        hint: 'For an account that nobody has claimed yet. Works for seven days.',
      },
      recovery: {
        label: 'Recover the account',
        hint: "Also removes two-factor authentication, passkeys, connected accounts and the email address. Verify that it's really them. Works for a day.",
      },
    },
    make: 'Create link',
    made: 'One-time link',
    once: "Copy it now. You won't see it again. It works once, until {until}. Anyone with this link gets access to the account of {name}.",
    kept: 'Done',
  },
  servers: {
    lead: "All servers with their size. You can't see the contents of servers you're not a member of.",
    search: 'Search by name',
    searchHint: 'The start of a name',
    none: 'No servers found',
    server: 'Server',
    members: 'Members',
    files: 'Files',
    since: 'Created',
    private: 'Private',
    delete: 'Delete server',
    deleteOf: 'Delete {name}',
    deleteMore:
      "{members, plural, one {Its # member loses access immediately, and all messages and files are deleted. This can't be undone.} other {Its # members lose access immediately, and all messages and files are deleted. This can't be undone.}}",
    deleted: 'Server {name} deleted.',
  },
  apps: {
    lead: 'Apps that servers can install. Verify only apps whose publisher you know.',
    kind: 'Filter apps',
    kinds: { waiting: 'Unverified', verified: 'Verified' },
    none: { waiting: 'No apps to review', verified: 'No verified apps' },
    noneMore: 'Apps appear here when a server submits them to the registry.',
    publisher: 'Publisher',
    version: 'Version',
    installs: 'Installs',
    isVerified: 'Verified',
    verify: 'Verify',
    unverify: 'Unverify',
    verifyNamed: 'Verify {name}',
    unverifyNamed: 'Unverify {name}',
    verified: '{name} is verified.',
    unverified: '{name} is no longer verified.',
  },
  audit: {
    lead: 'Changes by admins and operator commands, newest first. Entries are kept for 400 days.',
    filter: 'Filter',
    filterHint: 'Action, person or ID',
    onlyLoaded:
      '{count, plural, one {Filters only the # entry loaded so far.} other {Filters only the # entries loaded so far.}}',
    none: 'No changes yet',
    noMatch: 'No matching entries',
    act: 'Action',
    by: 'By',
    about: 'Target',
    at: 'Date',
    person: '{name} (@{username})',
    operator: 'Command ({account})',
    somebody: 'Unknown ({id})',
  },
  health: {
    lead: 'Updated {at}. Refreshes every ten seconds.',
    figures: 'Overview',
    doctor:
      "Run this command on the server's machine to also check settings, folders, versions, the mail server and sign-in providers.",
    waiting: 'Background jobs',
    waitingMore: 'Jobs in the queue. Charts cover up to ten minutes since you opened this page.',
    summary:
      '{wrong, plural, =0 {All systems operational} one {# issue needs attention} other {# issues need attention}}',
    good: {
      data: 'The database is available.',
      valkey: 'Valkey is available.',
      clock: "The node's and the database's clocks are in sync.",
      upkeep: 'Expired data is being cleaned up.',
      space: 'Enough disk space for files: {size} free.',
      waiting: 'Deleted data is being removed on schedule.',
      mails: 'Email is being sent.',
      webhooks: 'Webhooks are being delivered.',
    },
    wrong: {
      data: "The database isn't working properly: {problem}",
      valkey: 'Valkey is unavailable. Each node applies rate limits on its own, and updates arrive late.',
      clock: "The node's and the database's clocks differ by {span}. Synchronise them with NTP.",
      upkeep:
        "No node is cleaning up expired data. If this lasts for more than a few minutes, check the nodes' logs.",
      space: 'The disk for files is almost full: {size} free.',
      waiting:
        '{count} deleted items are waiting to be removed. This clears up on its own after a large deletion.',
      failing:
        "{count, plural, one {# background job is failing and being retried.} other {# background jobs are failing and being retried.}} The server's log says why.",
      mails: '{count} emails are queued. Check whether the mail server accepts them.',
      webhooks:
        "{count, plural, one {# webhook is failing and being retried. Its receiver isn't responding.} other {# webhooks are failing and being retried. Their receivers aren't responding.}}",
      disabled:
        '{count, plural, one {# webhook was disabled because it kept failing. Its server can enable it again.} other {# webhooks were disabled because they kept failing. Their servers can enable them again.}}',
    },
    chart: '{what}: currently {count}',
    waits: {
      sweeps: 'Deletions',
      closings: 'Closed accounts',
      fileRemovals: 'File deletions',
      failingWebhooks: 'Failing webhooks',
    },
    tiles: {
      version: 'Version',
      schema: 'schema version {schema}',
      uptime: 'Uptime',
      ofNode: 'this node',
      nodes: 'Nodes',
      engine: { sqlite: 'on SQLite', postgres: 'on PostgreSQL' },
      space: 'Free disk space',
      files: { folder: 'on the disk for files', bucket: 'files are stored in a bucket' },
    },
  },
});

/** The health page. */
export const platformHealth = texts({
  title: 'Load',
  lead: 'Metrics of this node since the last refresh.',
  guide: 'All metrics, for Prometheus',
  chart: '{what}: currently {value}',
  loads: {
    requests: 'Requests per second',
    duration: 'Time per request',
    limited: 'Rate-limited requests per second',
    failed: 'Failed requests per second',
    writes: 'Writes per second',
    streams: 'Open streams',
    cpu: 'CPU',
    memory: 'Memory',
  },
});

/** Settings that can be changed at runtime. */
export const platformSettings = texts({
  lead: 'Changes apply to all nodes immediately and override the settings the server was started with.',
  changed: 'Setting changed.',
  sources: {
    platform: 'Set here',
    flag: 'Set on the command line',
    environment: 'Set by an environment variable',
    file: 'Set in the config file',
    default: 'Default',
  },
  otherwise: 'Otherwise: {value} ({source})',
  takeBack: 'Reset',
  names: {
    signUp: {
      title: 'Sign-up',
      about: 'People with a link from you can always sign up.',
      values: {
        open: 'Anyone',
        invite: 'With an invite',
        closed: 'No one',
      },
    },
    serverCreators: {
      title: 'Server creation',
      about: 'Existing servers stay. Owners can still transfer them.',
      values: {
        anybody: 'Anyone',
        admins: 'Platform admins',
      },
    },
    serversPerPerson: {
      title: 'Servers per person',
      about: 'How many servers a person can own. People who own more keep them.',
      after: 'servers',
      unit: '{value, plural, one {# server} other {# servers}}',
    },
    personMegabytes: {
      title: 'Storage per person',
      about:
        'Total size of the files and images of a person and of the agents of their servers. 0 means no limit.',
      after: 'MB',
      unit: '{value, plural, one {# megabyte} other {# megabytes}}',
    },
    storageMegabytes: {
      title: 'Total storage',
      about: 'Total size of all files and images. 0 means no limit.',
      after: 'MB',
      unit: '{value, plural, one {# megabyte} other {# megabytes}}',
    },
    fileMegabytes: {
      title: 'Maximum file size',
      about:
        'Larger uploads are rejected. Existing files stay. A proxy in front of the server may have its own limit.',
      after: 'MB',
      unit: '{value, plural, one {# megabyte} other {# megabytes}}',
    },
    eventDays: {
      title: 'Event retention',
      about:
        'How far back clients and webhooks can catch up. If you lower it, older events are permanently deleted within minutes.',
      after: 'days',
      unit: '{value, plural, one {# day} other {# days}}',
    },
  },
  between: 'A whole number from {min} to {max}.',
  others: 'Other settings',
  othersMore:
    'Read when the server starts, from the command line, environment variables or the config file. These are the values of this node, without passwords and keys.',
  setting: 'Setting',
  value: 'Value',
  source: 'Source',
  empty: 'Not set',
  guide: 'Settings reference',
});
