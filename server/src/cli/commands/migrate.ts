import { command, json } from '../command.ts';
import { onTerminal } from '../terminal.ts';

export const migrateCommand = command({
  usage: 'migrate',
  about: 'Move everything between the embedded database and PostgreSQL',
  options: {
    '--to <place>': { needed: 'Where to: postgres://…, or a data folder; empty or not there yet' },
    '--from <place>': 'Where from; where the settings say that the data are if left out',
    '--restart': 'Throw away what an unfinished move has copied',
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
