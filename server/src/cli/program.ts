import { Command as Commander } from 'commander';
import packageFile from '../../package.json' with { type: 'json' };
import { startTyped, strangeVariables } from '../config/environment.ts';
import { loadConfig } from '../config.ts';
import { type Command, type Commands, optionsOf, wordsOf } from './command.ts';
import { CommandError } from './commandError.ts';
import { startCommand } from './commands/start.ts';
import { print } from './print.ts';

/**
 * Runs a command line, given without the program's name. Rejects if the command fails, and prints nothing
 * about the failure.
 */
export async function run(args: readonly string[]): Promise<void> {
  const all = program(await commandsFor(args));
  const { command, isHelp } = await named(all, args);
  if (isHelp) command.outputHelp();
  else await all.parseAsync(args, { from: 'user' });
}

/**
 * Finds the command or group that the first words refer to. `isHelp` is set for the word `help` and for an
 * empty command line. Throws CommandError if no command matches, because Commander would print unrelated
 * help.
 */
async function named(
  all: Commander,
  args: readonly string[],
): Promise<{ command: Commander; isHelp: boolean }> {
  let command = all;
  let isHelp = args.length === 0;
  for (const word of args) {
    if (word.startsWith('-') || command.commands.length === 0) break;
    const found = command.commands.find((one) => one.name() === word);
    if (found) command = found;
    else if (word === 'help') isHelp = true;
    else throw await unknown(word, command);
  }
  return { command, isHelp };
}

/** Creates the error for a word that matches nothing in a group. */
async function unknown(word: string, group: Commander): Promise<CommandError> {
  const { nearest } = await import('../lib/nearest.ts');
  const names = group.commands.map((one) => one.name());
  const meant = nearest(word, names);
  const hint = meant
    ? ` (Did you mean ${meant}?)`
    : `. Run palaver ${[...pathOf(group), '--help'].join(' ')} to see the list`;
  return new CommandError(`error: unknown command '${word}'${hint}`);
}

/** Returns the words that name a command. */
const pathOf = (command: Commander): string[] =>
  command.parent ? [...pathOf(command.parent), command.name()] : [];

/**
 * Returns only the rows that a command line needs, so that a node starts without loading the other commands.
 */
async function commandsFor([name]: readonly string[]): Promise<Commands> {
  return name === startCommand.usage ? [startCommand] : (await import('./commands/index.ts')).commands;
}

/** Builds the command line from the rows. */
function program(commands: Commands): Commander {
  const all = new Commander('palaver')
    .version(packageFile.version, '--version', 'Print the version')
    .description('Self-hosted chat platform with a REST API')
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
  // `npm start` passes on the options after `--`.
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

/**
 * Throws CommandError with all missing required options. Commander's own check would run before the one for
 * misspelt options, and hide them.
 */
function requireNeeded(command: Commander, row: Command): void {
  const missing = command.options.filter(
    (option) =>
      typeof optionsOf(row)[option.flags] === 'object' &&
      command.getOptionValue(option.attributeName()) === undefined,
  );
  if (missing.length === 0) return;
  const names = missing.map(({ flags }) => `'${flags}'`).join(', ');
  throw new CommandError(`error: required option${missing.length > 1 ? 's' : ''} ${names} not specified`);
}
