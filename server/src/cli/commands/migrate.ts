import { command, json } from '../command.ts';
import { onTerminal } from '../terminal.ts';

export const migrateCommand = command({
  usage: 'migrate',
  about: 'Move all data between SQLite and PostgreSQL',
  options: {
    '--to <place>': { needed: 'Target: postgres://… or an empty or new data folder' },
    '--from <place>': 'Source (default: the configured data)',
    '--restart': 'Discard an unfinished copy and start over',
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
