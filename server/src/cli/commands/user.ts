import { type CommandGroup, command, json } from '../command.ts';
import { listing, making } from '../records/run.ts';
import { onTerminal } from '../terminal.ts';

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
      // The first command on new data, where an operator makes all accounts before the first start.
      run: making(async () => (await import('../records/user.ts')).createUser, { first: true }),
    }),
    command({
      usage: 'list',
      about: 'List the accounts',
      options: json,
      run: listing(
        ['id', 'username', 'name', 'type', 'platformAdmin', 'createdAt'],
        async () => (await import('../records/user.ts')).listUsers,
      ),
    }),
    command({
      usage: 'export',
      about: 'Write all that the data hold about a user into a file, as JSON Lines',
      options: {
        ...json,
        '--username <u>': { needed: 'The user' },
        '--output <file>': 'The file; <username>.jsonl if left out',
        '--files <folder>': 'Also copies the files that they have uploaded into this folder',
      },
      async run({ config, given }) {
        const [{ exportUser }, { withData }] = await Promise.all([
          import('../people/export.ts'),
          import('../records/withData.ts'),
        ]);
        return { record: await withData(config, (data) => exportUser(data, given)) };
      },
    }),
    command({
      usage: 'erase',
      about: 'End the keys of a user, and remove who they were; only an identifier is left',
      options: {
        ...json,
        '--username <u>': { needed: 'The user' },
        '--messages <what>': {
          needed: 'keep: their messages and reactions stay, as those of a deleted user; delete: they go too',
        },
      },
      async run({ config, given }) {
        const [{ eraseUser }, { withData }] = await Promise.all([
          import('../people/erase.ts'),
          import('../records/withData.ts'),
        ]);
        return {
          record: await onTerminal((tell) => withData(config, (data) => eraseUser(data, given, tell))),
        };
      },
    }),
  ],
};
