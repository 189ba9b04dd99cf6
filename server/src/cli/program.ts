import { Command as Commander } from 'commander';
import packageFile from '../../package.json' with { type: 'json' };
import { loadConfig, settings } from '../config.ts';
import type { Command, Options } from './command.ts';
import { CommandError } from './commandError.ts';
import { commands } from './commands/index.ts';
import { print } from './print.ts';

/** The options of every command. */
export const commonOptions = {
  '--data <dir>': settings.data.about,
  '--database <url>': settings.database.about,
  '--config <file>': 'Config file; palaver.json in the data folder if left out',
} satisfies Options;

/** The command line, made from the rows. `parseAsync` rejects if a command fails, and prints nothing about it. */
export function program(): Commander {
  const all = new Commander('palaver')
    .version(packageFile.version, '--version', 'Print the version')
    .description('A self-hosted chat platform that is driven through a REST API')
    .exitOverride()
    .configureOutput({ outputError: () => {}, writeErr: () => {} });
  for (const entry of commands) {
    if ('run' in entry) {
      add(all, entry);
      continue;
    }
    const group = all.command(entry.name).description(entry.about);
    for (const row of entry.commands) add(group, row);
  }
  return all;
}

function add(parent: Commander, { usage, about, options, run }: Command): void {
  const command = parent.command(usage).description(about);
  const name = parent.parent ? `${parent.name()} ${command.name()}` : command.name();
  for (const [flags, words] of Object.entries<Options[string]>({ ...commonOptions, ...options })) {
    if (typeof words === 'string') command.option(flags, words);
    else command.requiredOption(flags, words.needed);
  }
  command.action(async () => {
    const given = command.opts();
    const outcome = await run({ ...loadConfig(given), given, command: name }, ...command.args);
    print(outcome, given.json === true);
    if (outcome.problem !== undefined) throw new CommandError(outcome.problem);
  });
}
