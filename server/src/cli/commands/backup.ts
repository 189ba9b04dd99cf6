import { command, json } from '../command.ts';

export const backupCommand = command({
  usage: 'backup <file>',
  about: 'Write everything into one file; the server may run',
  options: json,
  async run({ config }, file) {
    const { backup } = await import('../backup/backup.ts');
    return { record: backup(config, file) };
  },
});
