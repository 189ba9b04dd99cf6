import { type CommandGroup, command, json } from '../command.ts';
import { listing, making } from '../records/run.ts';

export const serverCommands: CommandGroup = {
  name: 'server',
  about: 'Servers',
  commands: [
    command({
      usage: 'create',
      about: 'Create a server',
      options: {
        ...json,
        '--name <n>': { needed: 'Name' },
        '--owner <user>': { needed: 'User id of the owner' },
      },
      run: making(async () => (await import('../records/server.ts')).createServer),
    }),
    command({
      usage: 'list',
      about: 'List servers',
      options: json,
      run: listing(
        ['id', 'name', 'memberCount', 'creatorId', 'createdAt'],
        async () => (await import('../records/server.ts')).listServers,
      ),
    }),
  ],
};
