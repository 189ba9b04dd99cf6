import packageFile from '../../../package.json' with { type: 'json' };
import { settings } from '../../config.ts';
import {
  type Command,
  type Commands,
  commonOptions,
  namedCommands,
  type Options,
  wordsOf,
} from '../command.ts';

/** The manual page, palaver(1), in roff, made from the commands and the settings. */
export function manualPage(commands: Commands): string {
  return [
    `.TH PALAVER 1 "" "Palaver ${packageFile.version}" "User Commands"`,
    '.SH NAME',
    'palaver \\- a self\\-hosted chat platform that is driven through a REST API',
    '.SH SYNOPSIS',
    '.B palaver',
    '.I command',
    '[options]',
    '.SH COMMANDS',
    ...namedCommands(commands).flatMap(([name, row]) => section(name, row)),
    '.SH COMMON OPTIONS',
    'Every command that is about data takes these:',
    ...optionLines(commonOptions),
    '.SH ENVIRONMENT',
    ...Object.values(settings).flatMap(({ env, about }) => ['.TP', `.B ${text(env)}`, text(`${about}.`)]),
    '.TP',
    '.B PALAVER_URL, PALAVER_KEY',
    text('The address of a running server and an API key, for send and tail.'),
    '.SH EXIT STATUS',
    'A command that has done its part exits with 0. One that has failed exits with 1, and says why in one line.',
    '.SH EXAMPLES',
    '.nf',
    text('palaver start --port 8081'),
    text("export PALAVER_KEY='the key that the first start printed'"),
    text("palaver send --channel ID 'Hello, world'"),
    text('palaver tail | jq .type'),
    '.fi',
  ].join('\n');
}

function section(name: string, { usage, about, options }: Command): string[] {
  const argument = usage.split(' ').slice(1).join(' ');
  return [`.SS ${text(name)} ${text(argument)}`.trimEnd(), text(`${about}.`), ...optionLines(options)];
}

const optionLines = (options: Options): string[] =>
  Object.entries(options).flatMap(([flags, words]) => [
    '.TP',
    `.B ${text(flags)}`,
    text(`${wordsOf(words)}.`),
  ]);

/** A text as roff shows it: no request at its start, no escape, and hyphens that can be copied. */
const text = (plain: string): string =>
  plain.replaceAll('\\', '\\e').replaceAll('-', '\\-').replace(/^[.']/, '\\&$&');
