import { type CommandGroup, command, json } from '../command.ts';
import { listing, making } from '../records/run.ts';

export const userCommands: CommandGroup = {
  name: 'user',
  about: 'Accounts',
  commands: [
    command({
      usage: 'create',
      about: 'Make an account',
      options: {
        ...json,
        '--username <u>': { needed: 'Unique: a–z 0–9 _ . -' },
        '--name <n>': 'The name that others see; the username if left out',
        '--agent': 'Make an agent (a bot) instead of a person',
        '--platform-admin': 'Make an administrator of the platform',
      },
      run: making(async () => (await import('../records/user.ts')).createUser),
    }),
    command({
      usage: 'list',
      about: 'List the accounts',
      options: json,
      run: listing(async () => (await import('../records/user.ts')).listUsers),
    }),
  ],
};
