import { command, json } from '../command.ts';
import { onTerminal } from '../terminal.ts';

export const backupCommand = command({
  usage: 'backup <file>',
  about: 'Back up all SQLite data to one file, even while the server is running',
  options: json,
  async run({ config }, file) {
    const { backup } = await import('../backup/backup.ts');
    return { record: await onTerminal((tell) => backup(config, file, tell)) };
  },
});
