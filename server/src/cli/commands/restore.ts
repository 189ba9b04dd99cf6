import { command, json } from '../command.ts';

export const restoreCommand = command({
  usage: 'restore <file>',
  about: 'Restore data from a backup',
  options: { '--force': 'Replace existing data', ...json },
  async run({ config, given }, file) {
    const { restore } = await import('../backup/restore.ts');
    return { record: await restore(config, file, given.force ?? false) };
  },
});
