import { type CommandGroup, command, json } from '../command.ts';
import { making } from '../records/run.ts';

export const memberCommands: CommandGroup = {
  name: 'member',
  about: 'Members of servers',
  commands: [
    command({
      usage: 'add',
      about: 'Add a user to a server',
      options: {
        ...json,
        '--server <id>': { needed: 'The server' },
        '--user <id>': { needed: 'The user' },
      },
      run: making(async () => (await import('../records/member.ts')).createMember),
    }),
  ],
};
