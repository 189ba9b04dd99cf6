import { type Command, commonOptions, type Options, wordsOf } from '../server/src/cli/command.ts';
import { commands } from '../server/src/cli/commands/index.ts';
import { code, table } from './markdown.ts';

/** The command line as a page of `docs/`. */
export function commandPage(): string {
  const sections = commands.flatMap((entry) =>
    'run' in entry
      ? [section(entry.usage, entry)]
      : entry.commands.map((command) => section(`${entry.name} ${command.usage}`, command)),
  );
  return `# Commands

<!-- Made from the rows in \`server/src/cli/commands/\` by \`npm run generate\`: do not edit. \`npm run check\` holds that it is up to date. -->

Each is run as \`npx palaver COMMAND\`. A command that has done its part exits with 0. One that has failed exits with 1,
and says why in one line on standard error. With \`--json\`, standard output holds JSON on one line and nothing else. Without
it a list is a table on a terminal, and elsewhere one line for each field, with an empty line after each record.

A variable \`PALAVER_…\` that is no setting gets a line on standard error with the nearest name, and the command goes on.

\`start\`, \`restore\`, \`migrate\` and \`user create\` make data where there are none; the other commands refuse such a place.

These options, which every command takes that is about data, say where the data and the [settings](settings.md) are:

${optionTable(commonOptions)}

${sections.join('\n\n')}

## Shell completion

If \`palaver\` is on the path, as in the container, bash, zsh and fish complete its commands and options:

\`\`\`sh
eval "$(palaver completion bash)"       # in ~/.bashrc; fish: palaver completion fish | source
\`\`\`
`;
}

function section(usage: string, { about, options }: Command): string {
  const [name = ''] = usage.split(/ (?=[<[])/);
  const lines = [`## ${name}`, `${about}.`, `\`\`\`sh\n${synopsis(usage, options)}\n\`\`\``];
  if (Object.keys(options).length > 0) lines.push(optionTable(options));
  return lines.join('\n\n');
}

/** The command with its argument and its required options. */
const synopsis = (usage: string, options: Options): string =>
  ['npx palaver', usage, ...Object.keys(options).filter((flags) => isNeeded(options[flags]))].join(' ');

const isNeeded = (words: Options[string] | undefined): boolean => typeof words === 'object';

const optionTable = (options: Options): string =>
  table(
    ['Option', 'Meaning'],
    Object.entries(options).map(([flags, words]) => [code(flags), wordsOf(words)]),
  );
