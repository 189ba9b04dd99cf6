import {
  argumentOf,
  type Command,
  type Commands,
  namedCommands,
  nameOf,
  optionsOf,
  wordsOf,
} from '../command.ts';

/** The completion script of each shell, built from the commands. */
export const completions = { bash, zsh, fish } as const;

/** A parsed option. For `--data <dir>`, the argument is `dir`. */
interface Option {
  name: string;
  value: string | undefined;
  words: string;
}

const parsed = (row: Command): Option[] =>
  Object.entries(optionsOf(row)).map(([flags, words]) => {
    const [, name = flags, value] = /^(--\S+)(?: <(.+)>)?$/.exec(flags) ?? [];
    return { name, value, words: wordsOf(words) };
  });

/** Returns the possible values of an enumerated argument or option. */
const choicesOf = (value: string | undefined): string[] => (value?.includes('|') ? value.split('|') : []);

const isPath = (value: string | undefined): boolean =>
  value === 'file' || value === 'dir' || value === 'place';

/** Returns the names and descriptions of commands and groups. */
const firstWords = (commands: Commands): [name: string, about: string][] =>
  commands.map((entry) => ['run' in entry ? nameOf(entry) : entry.name, entry.about]);

const groupsOf = (commands: Commands) => commands.flatMap((entry) => ('run' in entry ? [] : [entry]));

function bash(commands: Commands): string {
  const groups = groupsOf(commands).map(
    ({ name, commands: rows }) => `    ${name}) words='${rows.map(nameOf).join(' ')}' ;;`,
  );
  const options = namedCommands(commands).map(([name, row]) => {
    const all = [...parsed(row).map((option) => option.name), '--help'].join(' ');
    const choices = choicesOf(argumentOf(row)).join(' ');
    return `    '${name}') options='${all}'${choices && ` words='${choices}'`} ;;`;
  });
  return `# bash: eval "$(palaver completion bash)"
_palaver() {
  local cur=\${COMP_WORDS[COMP_CWORD]} words='' options='--help --version' command=\${COMP_WORDS[1]}
  COMPREPLY=()
  if ((COMP_CWORD == 1)); then
    words='${firstWords(commands)
      .map(([name]) => name)
      .join(' ')}'
  elif ((COMP_CWORD == 2)); then
    case $command in
${groups.join('\n')}
    esac
  fi
  case $command in
    ${groupsOf(commands)
      .map(({ name }) => name)
      .join('|')}) command+=" \${COMP_WORDS[2]}" ;;
  esac
  case $command in
${options.join('\n')}
  esac
  if [[ $cur == -* ]]; then words=$options; fi
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
}
complete -o default -F _palaver palaver`;
}

/** Wraps text in single quotes. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

function zsh(commands: Commands): string {
  const list = (entries: [string, string][]) =>
    entries.map(([name, about]) => quoted(`${name}:${about.replaceAll(':', '\\:')}`)).join(' ');
  const plainly = (text: string) => text.replace(/[[\]:]/g, '\\$&');
  const spec = ({ name, value, words }: Option) => {
    const taken = value === undefined ? '' : `:${plainly(value)}:${isPath(value) ? '_files' : ''}`;
    return quoted(`${name}[${plainly(words)}]${taken}`);
  };
  const argument = (row: Command) => {
    const value = argumentOf(row);
    if (value === undefined) return [];
    const choices = choicesOf(value);
    const action = choices.length > 0 ? `(${choices.join(' ')})` : isPath(value) ? '_files' : '';
    return [quoted(`1:${plainly(value)}:${action}`)];
  };
  const specs = (row: Command) => [...parsed(row).map(spec), ...argument(row)].join(' ');
  const groups = groupsOf(commands).map(
    ({ name, commands: rows }) => `    ${name})
      if (( CURRENT == 3 )); then
        list=(${list(rows.map((row) => [nameOf(row), row.about]))})
        _describe command list
        return
      fi
      command+=" $words[3]"
      shift words; (( CURRENT-- )) ;;`,
  );
  const rows = namedCommands(commands).map(([name, row]) => `    '${name}') _arguments ${specs(row)} ;;`);
  return `#compdef palaver
# zsh: eval "$(palaver completion zsh)", or a file _palaver in a folder of $fpath
_palaver() {
  local command=$words[2]
  local -a list
  if (( CURRENT == 2 )); then
    list=(${list(firstWords(commands))})
    _describe command list
    return
  fi
  case $command in
${groups.join('\n')}
  esac
  shift words; (( CURRENT-- ))
  case $command in
${rows.join('\n')}
  esac
}
if [ "$funcstack[1]" = _palaver ]; then _palaver "$@"; else compdef _palaver palaver; fi`;
}

function fish(commands: Commands): string {
  const escaped = (text: string) => `'${text.replace(/['\\]/g, '\\$&')}'`;
  const seen = (...words: string[]) =>
    words.map((word) => `__fish_seen_subcommand_from ${word}`).join('; and ');
  const line = (condition: string, ...rest: string[]) =>
    `complete -c palaver -n ${escaped(condition)} ${rest.join(' ')}`;
  const first = firstWords(commands).map(([name, about]) =>
    line('__fish_use_subcommand', '-a', name, '-d', escaped(about)),
  );
  const second = groupsOf(commands).flatMap(({ name, commands: rows }) =>
    rows.map((row) => {
      const isOpen = `${seen(name)}; and not ${seen(rows.map(nameOf).join(' '))}`;
      return line(isOpen, '-a', nameOf(row), '-d', escaped(row.about));
    }),
  );
  const rest = namedCommands(commands).flatMap(([name, row]) => {
    const condition = seen(...name.split(' '));
    const options = parsed(row).map(({ name: option, value, words }) =>
      line(
        condition,
        '-l',
        option.slice(2),
        ...(value === undefined ? [] : [isPath(value) ? '-r -F' : '-x']),
        '-d',
        escaped(words),
      ),
    );
    const argument = argumentOf(row);
    if (isPath(argument)) return [...options, line(condition, '-F')];
    return [...options, ...choicesOf(argument).map((choice) => line(condition, '-a', choice))];
  });
  return [
    '# fish: palaver completion fish | source',
    'complete -c palaver -f',
    ...first,
    ...second,
    ...rest,
  ].join('\n');
}
