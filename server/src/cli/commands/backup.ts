import { command, json } from '../command.ts';

export const backupCommand = command({
  usage: 'backup <file>',
  about: 'Write all data into one file, also while the server runs',
  options: json,
  async run({ config }, file) {
    const { backup } = await import('../backup/backup.ts');
    return { record: backup(config, file) };
  },
});
