import { type CommandGroup, command, json } from '../command.ts';
import { linking, listing, making } from '../records/run.ts';
import { onTerminal } from '../terminal.ts';

const portOfLink = {
  '--port <n>': 'Port in the link if no address is set (default: the configured port)',
} as const;

export const userCommands: CommandGroup = {
  name: 'user',
  about: 'Accounts',
  commands: [
    command({
      usage: 'create',
      about: 'Create an account',
      options: {
        ...json,
        '--username <u>': { needed: 'Unique: a–z 0–9 _ . -' },
        '--name <n>': 'Display name (default: the username)',
        '--agent': 'Create an agent (bot) instead of a person',
        '--platform-admin': 'Make the user a platform admin',
      },
      // `user create` may be the first command on new data, because an operator may create all accounts
      // before the first start.
      run: making(async () => (await import('../records/user.ts')).createUser, { first: true }),
    }),
    command({
      usage: 'invite',
      about: 'Create a single-use link to claim an account or sign up',
      options: {
        ...json,
        '--username <u>': 'Existing user without an account; if omitted, the link creates a new user',
        '--email <address>':
          'Email address of the account. If email is configured, the link is sent to that address',
        '--print': 'Print the link instead of emailing it',
        ...portOfLink,
      },
      run: linking(async () => (await import('../records/link.ts')).inviteUser),
    }),
    command({
      usage: 'password',
      about: 'Create a single-use link to reset a password, valid for a day',
      options: {
        ...json,
        '--username <u>': { needed: 'User' },
        '--without-code':
          'Also turn off two-factor authentication and remove passkeys, linked providers and the email address, for someone who lost their authenticator app and recovery codes',
        ...portOfLink,
      },
      run: linking(async () => (await import('../records/link.ts')).resetPassword),
    }),
    command({
      usage: 'list',
      about: 'List accounts',
      options: json,
      run: listing(
        ['id', 'username', 'name', 'type', 'platformAdmin', 'createdAt'],
        async () => (await import('../records/user.ts')).listUsers,
      ),
    }),
    command({
      usage: 'export',
      about: 'Export the personal data of a user as JSON Lines',
      options: {
        ...json,
        '--username <u>': { needed: 'User' },
        '--output <file>': 'File (default: <username>.jsonl)',
        '--files <folder>': "Also copy the user's uploaded files to this folder",
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
      about: "Revoke a user's API keys and erase their personal data; only an anonymous account remains",
      options: {
        ...json,
        '--username <u>': { needed: 'User' },
        '--messages <what>': {
          needed: 'keep: attribute messages and reactions to a deleted user; delete: delete them',
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
