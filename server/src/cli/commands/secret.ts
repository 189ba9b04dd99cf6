import { type CommandGroup, command, json } from '../command.ts';
import { onTerminal } from '../terminal.ts';

const advice = {
  'secret.key': 'The new key is in secret.key. The previous key was deleted.',
  database: 'The new key is in the database. The previous key was deleted. Start the nodes again.',
  PALAVER_SECRET_KEY:
    'Everything is encrypted with the first key of PALAVER_SECRET_KEY. You can remove the others.',
} as const;

export const secretCommands: CommandGroup = {
  name: 'secret',
  about: 'The key that encrypts secrets',
  commands: [
    command({
      usage: 'rotate',
      about: 'Replace the secret key and re-encrypt everything that is encrypted with it',
      options: json,
      async run({ config }) {
        const { rotateSecretKey } = await import('../../node/rotateKey.ts');
        const record = await onTerminal((tell) => rotateSecretKey(config, tell));
        return { record, lines: [`Re-encrypted ${record.values} values.`, advice[record.kept]] };
      },
    }),
  ],
};
