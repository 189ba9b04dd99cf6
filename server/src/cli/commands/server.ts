import { type CommandGroup, command, json } from '../command.ts';
import { listing, making } from '../records/run.ts';

export const serverCommands: CommandGroup = {
  name: 'server',
  about: 'Servers',
  commands: [
    command({
      usage: 'create',
      about: 'Make a server',
      options: {
        ...json,
        '--name <n>': { needed: 'Its name' },
        '--owner <user>': { needed: 'Id of its creator' },
      },
      run: making(async () => (await import('../records/server.ts')).createServer),
    }),
    command({
      usage: 'list',
      about: 'List the servers',
      options: json,
      run: listing(
        ['id', 'name', 'memberCount', 'creatorId', 'createdAt'],
        async () => (await import('../records/server.ts')).listServers,
      ),
    }),
  ],
};
