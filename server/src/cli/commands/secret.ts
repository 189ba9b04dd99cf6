import { type CommandGroup, command, json } from '../command.ts';
import { onTerminal } from '../terminal.ts';

const advice = {
  'secret.key': 'The new key is in secret.key, the former one is gone.',
  database: 'The new key is in the database, the former one is gone. Start the nodes again.',
  PALAVER_SECRET_KEY:
    'All is encrypted with the first key of PALAVER_SECRET_KEY: the others may be left out from now on.',
} as const;

export const secretCommands: CommandGroup = {
  name: 'secret',
  about: 'The key that encrypts secrets',
  commands: [
    command({
      usage: 'rotate',
      about: 'Replace the secret key, and encrypt everything anew',
      options: json,
      async run({ config }) {
        const { rotateSecretKey } = await import('../../node/rotateKey.ts');
        const record = await onTerminal((tell) => rotateSecretKey(config, tell));
        return { record, lines: [`${record.values} values were encrypted anew.`, advice[record.kept]] };
      },
    }),
  ],
};
