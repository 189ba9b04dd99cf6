import { type CommandGroup, command, json } from '../command.ts';
import { linking, listing, making } from '../records/run.ts';
import { onTerminal } from '../terminal.ts';

const portOfLink = {
  '--port <n>': 'The port in the link, where no address is set; that of the settings if left out',
} as const;

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
      usage: 'invite',
      about: 'Make a link with which somebody claims the account of a user, or signs up; it works once',
      options: {
        ...json,
        '--username <u>': 'The user, who has no password yet; anybody may sign up with the link if left out',
        '--email <address>':
          'The e-mail address that gets the link, by a mail where mails are sent, or else from you; that of the account from then on',
        '--print': 'Print the link also where mails are sent',
        ...portOfLink,
      },
      run: linking(async () => (await import('../records/link.ts')).inviteUser),
    }),
    command({
      usage: 'password',
      about: 'Make a link with which a user chooses a new password; it works once, for a day',
      options: {
        ...json,
        '--username <u>': { needed: 'The user' },
        '--without-code':
          'The link also takes away their second factor, their passkeys, their accounts at providers and their e-mail address, for somebody who has lost their app and their codes',
        ...portOfLink,
      },
      run: linking(async () => (await import('../records/link.ts')).resetPassword),
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
