import { command, json } from '../command.ts';

export const restoreCommand = command({
  usage: 'restore <file>',
  about: 'Put a backup in the place of the data',
  options: { '--force': 'Replace the data that is there', ...json },
  async run({ config, given }, file) {
    const { restore } = await import('../backup/restore.ts');
    return { record: await restore(config, file, given.force ?? false) };
  },
});
