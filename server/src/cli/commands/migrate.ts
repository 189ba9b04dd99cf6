import { command, json } from '../command.ts';
import { onTerminal } from '../terminal.ts';

export const migrateCommand = command({
  usage: 'migrate',
  about: 'Move everything between the embedded database and PostgreSQL',
  options: {
    '--to <place>': { needed: 'The target: postgres://… or a data folder, empty or not there yet' },
    '--from <place>': 'The source; the data of the settings if left out',
    '--restart': 'Discard the copy of an unfinished move, and start again',
    ...json,
  },
  async run({ config, given }) {
    const [{ migrate }, { linesOf, problemOf }] = await Promise.all([
      import('../migrate/migrate.ts'),
      import('../migrate/report.ts'),
    ]);
    const moved = await onTerminal((tell) => migrate(config, given, tell));
    return { record: moved, lines: linesOf(moved), problem: problemOf(moved) };
  },
});
