import { Command as Commander } from 'commander';
import packageFile from '../../package.json' with { type: 'json' };
import { startTyped, strangeVariables } from '../config/environment.ts';
import { loadConfig } from '../config.ts';
import { type Command, type Commands, optionsOf, wordsOf } from './command.ts';
import { CommandError } from './commandError.ts';
import { startCommand } from './commands/start.ts';
import { print } from './print.ts';

/** Runs the command line, given without the program's name. Rejects if a command fails, and prints nothing about it. */
export async function run(args: readonly string[]): Promise<void> {
  const all = program(await commandsFor(args));
  if (args.length === 0) all.outputHelp();
  else await all.parseAsync(args, { from: 'user' });
}

/** The rows that a command line needs: a node starts without those of the other commands. */
async function commandsFor([name]: readonly string[]): Promise<Commands> {
  return name === startCommand.usage ? [startCommand] : (await import('./commands/index.ts')).commands;
}

/** The command line, made from the rows. */
function program(commands: Commands): Commander {
  const all = new Commander('palaver')
    .version(packageFile.version, '--version', 'Print the version')
    .description('A self-hosted chat platform that is driven through a REST API')
    .exitOverride()
    .configureOutput({ outputError: () => {}, writeErr: () => {} });
  for (const entry of commands) {
    if ('run' in entry) {
      add(all, entry, commands);
      continue;
    }
    const group = all.command(entry.name).description(entry.about);
    for (const row of entry.commands) add(group, row, commands);
  }
  return all;
}

function add(parent: Commander, row: Command, commands: Commands): void {
  const command = parent.command(row.usage).description(row.about);
  const name = parent.parent ? `${parent.name()} ${command.name()}` : command.name();
  for (const [flags, words] of Object.entries(optionsOf(row))) command.option(flags, wordsOf(words));
  // `npm start` hands options on after `--`.
  if (name === 'start') command.configureHelp({ commandUsage: () => `${startTyped()} [options]` });
  command.action(async () => {
    for (const line of strangeVariables()) process.stderr.write(`${line}\n`);
    const given = command.opts();
    requireNeeded(command, row);
    const config = row.isConfigured ? loadConfig(given) : {};
    const outcome = await row.run({ ...config, given, command: name, commands }, ...command.args);
    print(outcome, given.json === true);
    if (outcome.problem !== undefined) throw new CommandError(outcome.problem);
  });
}

/** Throws CommandError if a required option is missing. Commander would say so before it looks for misspelt ones. */
function requireNeeded(command: Commander, row: Command): void {
  const missing = command.options.find(
    (option) =>
      typeof optionsOf(row)[option.flags] === 'object' &&
      command.getOptionValue(option.attributeName()) === undefined,
  );
  if (missing) throw new CommandError(`error: required option '${missing.flags}' not specified`);
}
