import { command, json } from '../command.ts';
import { onTerminal } from '../terminal.ts';

export const restoreCommand = command({
  usage: 'restore [file]',
  about: 'Restore SQLite data from a backup, or list the copies made before upgrades',
  options: { '--force': 'Replace existing data', ...json },
  async run({ config, given }, file) {
    const { restore, listCopies } = await import('../backup/restore.ts');
    if (file === undefined)
      return { record: listCopies(config), columns: ['name', 'schema', 'bytes', 'madeAt'] };
    return { record: await onTerminal((tell) => restore(config, file, given.force ?? false, tell)) };
  },
});
