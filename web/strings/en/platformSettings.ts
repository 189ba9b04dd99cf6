import { number, plural } from '../format.ts';

/** The texts of the settings that may change while the server runs. */
export const platformSettings = {
  lead: 'A change here counts on every node within a second, before the settings with which the server was started.',
  changed: 'Changed.',
  sources: {
    platform: 'Set here',
    flag: 'From the command line',
    environment: 'From the environment',
    file: 'From the config file',
    default: 'As delivered',
  },
  otherwise: (value: string, source: string) => `Without the change here: ${value}. ${source}.`,
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
      unit: (value: number) => plural(value, { one: '# megabyte', other: '# megabytes' }),
    },
    eventDays: {
      title: 'Events are kept for',
      about:
        'Clients and webhooks can catch up so far back. Fewer days remove older events within minutes, for good.',
      after: 'days',
      unit: (value: number) => plural(value, { one: '# day', other: '# days' }),
    },
  },
  between: (min: number, max: number) => `A whole number from ${number(min)} to ${number(max)}.`,
  others: 'All other settings',
  othersMore:
    'They are read when the server starts: from the command line, the environment or the config file. These are of the node that has answered; passwords and keys are left out.',
  setting: 'Setting',
  value: 'Value',
  source: 'Where it comes from',
  empty: 'Empty',
  guide: 'Every setting, in the documentation',
};
