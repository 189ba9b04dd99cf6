import { type CommandGroup, command, json } from '../command.ts';
import { changing, listing, making } from '../records/run.ts';

export const keyCommands: CommandGroup = {
  name: 'key',
  about: 'API keys',
  commands: [
    command({
      usage: 'create',
      about: 'Create an API key',
      options: {
        ...json,
        '--server <id>': { needed: 'Server' },
        '--user <id>': { needed: 'User that the key acts as' },
        '--flags <a,b>': 'Use a role with exactly these flags; it is created if missing',
        '--role <id>': "Role (default: the server's default role)",
        '--name <n>': 'Name (default: "Key of <username>")',
        '--expires-in <time>':
          'Lifetime, such as 90d, 12h or 30m (default: no limit, or PALAVER_MAX_KEY_DAYS)',
      },
      run: making(async ({ maxKeyDays }) => {
        const { createKey } = await import('../records/key.ts');
        return (work, given) => createKey(work, given, maxKeyDays);
      }),
    }),
    command({
      usage: 'list',
      about: 'List API keys, without their values',
      options: { ...json, '--server <id>': 'Only keys of this server' },
      run: listing(
        ['id', 'name', 'userId', 'createdAt', 'lastUsedAt', 'expiresAt'],
        async () => (await import('../records/key.ts')).listKeys,
      ),
    }),
    command({
      usage: 'rotate <id>',
      about: 'Rotate an API key; by default, the previous value stays valid for 24 hours',
      options: {
        ...json,
        '--overlap <time>':
          'How long the previous value stays valid, such as 12h or 30m; 0 revokes it immediately (default: 24h)',
        '--expires-in <time>': 'Lifetime of the new value, such as 90d (default: unchanged)',
      },
      run: changing(async ({ maxKeyDays }) => {
        const { rotateKeyFor } = await import('../records/key.ts');
        return (work, id, given) => rotateKeyFor(work, id, given, maxKeyDays);
      }),
    }),
    command({
      usage: 'revoke <id>',
      about: 'Revoke an API key',
      options: json,
      run: changing(async () => (await import('../records/key.ts')).revokeKey),
    }),
  ],
};
