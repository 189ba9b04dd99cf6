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
        '--server <id>': { needed: 'Its server' },
        '--user <id>': { needed: 'The user as which it acts' },
        '--flags <a,b>': 'Find or make a role with exactly these flags',
        '--role <id>': "Its role; the server's default role if neither --flags nor --role is given",
        '--name <n>': 'Its name; "Key of <username>" if left out',
        '--expires-in <time>': 'Such as 90d, 12h or 30m; it never expires if left out',
      },
      run: making(async ({ maxKeyDays }) => {
        const { createKey } = await import('../records/key.ts');
        return (work, given) => createKey(work, given, maxKeyDays);
      }),
    }),
    command({
      usage: 'list',
      about: 'List the API keys, without their values',
      options: { ...json, '--server <id>': 'Only keys for this server' },
      run: listing(
        ['id', 'name', 'userId', 'createdAt', 'lastUsedAt', 'expiresAt'],
        async () => (await import('../records/key.ts')).listKeys,
      ),
    }),
    command({
      usage: 'rotate <id>',
      about: 'Give an API key a new value; the one before stays valid for a while',
      options: {
        ...json,
        '--overlap <time>':
          'Time for which the value before stays valid, such as 12h or 30m; 0 ends it at once; 24h if left out',
        '--expires-in <time>': 'The end of the new value, such as 90d; as before if left out',
      },
      run: making(async ({ maxKeyDays }) => {
        const { rotateKeyFor } = await import('../records/key.ts');
        return (work, given, id: string) => rotateKeyFor(work, id, given, maxKeyDays);
      }),
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
