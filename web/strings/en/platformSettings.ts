import { texts } from '../texts.ts';

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
  otherwise: 'Resets to: {value} ({source})',
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
      about: 'How many servers a person can own. People who already own more keep them.',
      after: 'servers',
      unit: '{value, plural, one {# server} other {# servers}}',
    },
    personMegabytes: {
      title: 'Storage per person',
      about:
        'Maximum total size of the files and images uploaded by a person, and by agents in the servers they own. 0 means no limit.',
      after: 'MB',
      unit: '{value, plural, one {# megabyte} other {# megabytes}}',
    },
    storageMegabytes: {
      title: 'Total storage',
      about: 'Maximum total size of all files and images. 0 means no limit.',
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
