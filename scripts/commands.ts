import { type Command, commonOptions, type Options, wordsOf } from '../server/src/cli/command.ts';
import { commands } from '../server/src/cli/commands/index.ts';
import { code, table } from './markdown.ts';

/** Generates docs/operate/commands.md. */
export function commandPage(): string {
  const sections = commands.flatMap((entry) =>
    'run' in entry
      ? [section(entry.usage, entry)]
      : entry.commands.map((command) => section(`${entry.name} ${command.usage}`, command)),
  );
  return `# Commands

<!-- Generated from the rows in \`server/src/cli/commands/\` by \`npm run generate\`: do not edit. \`npm run check\` checks that this page is up to date. -->

Run each command as \`npx palaver COMMAND\`. It exits with 0 on success. On failure it exits with 1 and prints the reason
on standard error: one line, or a stack trace if the error is unexpected. With \`--json\`, standard output is only JSON:
one line, or one line per event from \`tail\`. Without it, lists are tables on a terminal; elsewhere they have one line
per field, and an empty line after each record.

An environment variable \`PALAVER_…\` that is not a setting is ignored, with a warning that suggests the nearest name.

\`start\`, \`restore\`, \`migrate\` and \`user create\` create the data folder or the database tables if they do not exist. Other
commands that use the data fail without them.

All commands that use the data or the [settings](settings.md) have these options:

${optionTable(commonOptions)}

${sections.join('\n\n')}

## Shell completion

If \`palaver\` is in the \`PATH\`, as in the container, bash, zsh and fish can complete its commands and options:

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
