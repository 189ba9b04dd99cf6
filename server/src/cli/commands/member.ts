import { type CommandGroup, command, json } from '../command.ts';
import { making } from '../records/run.ts';

export const memberCommands: CommandGroup = {
  name: 'member',
  about: 'Server members',
  commands: [
    command({
      usage: 'add',
      about: 'Add a user to a server',
      options: {
        ...json,
        '--server <id>': { needed: 'Server' },
        '--username <u>': 'User',
        '--user <id>': 'User, by id instead of username',
      },
      run: making(async () => (await import('../records/member.ts')).createMember),
    }),
  ],
};
