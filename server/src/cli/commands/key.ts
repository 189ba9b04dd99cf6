import { type CommandGroup, command, json } from '../command.ts';
import { listing, making } from '../records/run.ts';

export const keyCommands: CommandGroup = {
  name: 'key',
  about: 'API keys',
  commands: [
    command({
      usage: 'create',
      about: 'Mint an API key',
      options: {
        ...json,
        '--server <id>': { needed: 'The server that it is for' },
        '--user <id>': { needed: 'The user that it acts as' },
        '--flags <a,b>': 'Finds or makes a role with exactly these flags',
        '--role <id>': "The role that it has; the server's default role if neither is given",
        '--name <n>': 'What it is for',
        '--expires-in <time>': 'Such as 90d, 12h or 30m; never if left out',
      },
      run: making(async () => (await import('../records/key.ts')).createKey),
    }),
    command({
      usage: 'list',
      about: 'List the API keys, without their values',
      options: { ...json, '--server <id>': 'Only those for this server' },
      run: listing(async () => (await import('../records/key.ts')).listKeys),
    }),
    command({
      usage: 'revoke <id>',
      about: 'Revoke an API key at once',
      options: json,
      run: making(async () => {
        const { revokeKey } = await import('../records/key.ts');
        return (work, _given, id: string) => revokeKey(work, id);
      }),
    }),
  ],
};
