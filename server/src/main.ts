import { Command, CommanderError } from 'commander';
import packageFile from '../package.json' with { type: 'json' };
import { backup, restore } from './cli/backup.ts';
import { change, withData } from './cli/data.ts';
import { examine } from './cli/doctor.ts';
import {
  CommandError,
  createFlow,
  createKey,
  createMember,
  createServer,
  createUser,
  listKeys,
  listServers,
  listUsers,
  revokeKey,
} from './cli/records.ts';
import { type Config, ConfigError, loadConfig, type SettingName, settings } from './config.ts';
import { type Reader, StorageError, UniqueViolation } from './db/contract.ts';
import { ApiError } from './errors.ts';
import { withoutPassword } from './lib/url.ts';
import { conflicts } from './operations/conflicts.ts';
import type { Work } from './operations/work.ts';

const { version } = packageFile;

// biome-ignore lint/suspicious/noExplicitAny: each command reads the options that it declares
type Options = Record<string, any>;

// Messages, keys and backups are for the operator's eyes only, whatever files a command makes.
process.umask(0o077);

const program = new Command('palaver')
  .version(version, '--version', 'Print the version')
  .description('A self-hosted chat platform that is driven through a REST API')
  .exitOverride()
  .configureOutput({ outputError: () => {}, writeErr: () => {} })
  .showHelpAfterError(false);

/** A command that takes `--data` and `--config`, with what it does. */
function command(
  parent: Command,
  usage: string,
  about: string,
  run: (options: Options, ...names: string[]) => unknown,
): Command {
  return parent
    .command(usage)
    .description(about)
    .exitOverride()
    .configureOutput({ outputError: () => {} })
    .option('--data <dir>', settings.data.about)
    .option('--database <url>', settings.database.about)
    .option('--config <file>', 'Config file; palaver.json in the data folder if left out')
    .action((...given) => {
      const self = given.at(-1) as Command;
      return run(self.opts(), ...(self.args as string[])) as Promise<void>;
    });
}

const configOf = (options: Options): Config => loadConfig(options).config;

/** A command that changes data and prints the record that comes of it. */
const making = (
  parent: Command,
  usage: string,
  about: string,
  make: (work: Work, options: Options, ...names: string[]) => Promise<object>,
) =>
  command(parent, usage, about, async (options, ...names) => {
    const record = await withData(configOf(options), (data) =>
      change(data, (work) => make(work, options, ...names)),
    );
    print(record, options.json);
  }).option('--json', 'Print JSON and nothing else');

/** A command that prints records. */
const listing = (
  parent: Command,
  usage: string,
  about: string,
  list: (db: Reader, options: Options) => Promise<object[]>,
) =>
  command(parent, usage, about, async (options) => {
    print(await withData(configOf(options), ({ db }) => list(db.read, options)), options.json);
  }).option('--json', 'Print JSON and nothing else');

command(program, 'start', 'Serve, making the data on the first run', async (options) => {
  const config = configOf(options);
  // Loaded here alone: the other commands are quicker without what serves.
  const { start } = await import('./cli/start.ts');
  await start(config);
})
  .option('--redis <url>', settings.redis.about)
  .option('--port <n>', settings.port.about)
  .option('--host <address>', settings.host.about);

const user = program.command('user').description('Accounts');
making(user, 'create', 'Make an account', (work, options) =>
  createUser(work, options as Parameters<typeof createUser>[1]),
)
  .requiredOption('--username <u>', 'Unique: a–z 0–9 _ . -')
  .option('--name <n>', 'As it is shown')
  .option('--agent', 'A bot, that no person signs in to')
  .option('--platform-admin', 'Administers the platform');
listing(user, 'list', 'List the accounts', listUsers);

const server = program.command('server').description('Servers');
making(server, 'create', 'Make a server', (work, options) =>
  createServer(work, options as Parameters<typeof createServer>[1]),
)
  .requiredOption('--name <n>', 'Its name')
  .requiredOption('--owner <user>', 'Id of its creator');
listing(server, 'list', 'List the servers', listServers);

const member = program.command('member').description('Members of servers');
making(member, 'add', 'Add a user to a server', (work, options) =>
  createMember(work, options as Parameters<typeof createMember>[1]),
)
  .requiredOption('--server <id>', 'The server')
  .requiredOption('--user <id>', 'The user');

const key = program.command('key').description('API keys');
making(key, 'create', 'Mint an API key', (work, options) =>
  createKey(work, options as Parameters<typeof createKey>[1]),
)
  .requiredOption('--server <id>', 'The server that it is for')
  .requiredOption('--user <id>', 'The user that it acts as')
  .option('--flags <a,b>', 'Finds or makes a role with exactly these flags')
  .option('--role <id>', "The role that it has; the server's default role if neither is given")
  .option('--name <n>', 'What it is for')
  .option('--expires-in <time>', 'Such as 90d, 12h or 30m; never if left out');
listing(key, 'list', 'List the API keys, without their values', (db, options) =>
  listKeys(db, options.server),
).option('--server <id>', 'Only those for this server');
making(key, 'revoke <id>', 'Revoke an API key at once', (work, _options, id) =>
  revokeKey(work, id as string),
);

const flow = program.command('flow').description('Automations');
making(flow, 'create', 'Make a flow', (work, options) =>
  createFlow(work, options as Parameters<typeof createFlow>[1]),
)
  .requiredOption('--server <id>', 'Its server')
  .requiredOption('--name <n>', 'Its name')
  .requiredOption('--trigger <json>', 'What starts it')
  .requiredOption('--steps <json>', 'What it does: a list');

command(program, 'backup <file>', 'Write everything into one file; the server may run', (options, file) =>
  print(backup(configOf(options), file as string), options.json),
).option('--json', 'Print JSON and nothing else');

command(program, 'restore <file>', 'Put a backup in the place of the data', async (options, file) =>
  print(await restore(configOf(options), file as string, options.force ?? false), options.json),
)
  .option('--force', 'Replace the data that is there')
  .option('--json', 'Print JSON and nothing else');

command(
  program,
  'migrate',
  'Move everything between the embedded database and PostgreSQL',
  async (options) => {
    const { linesOf, migrate, requireSame } = await import('./cli/migrate.ts');
    const config = configOf(options);
    const moved = await onTerminal((tell) => migrate(config, options as Parameters<typeof migrate>[1], tell));
    if (options.json) print(moved, true);
    else process.stdout.write(`${linesOf(moved).join('\n')}\n`);
    requireSame(moved);
  },
)
  .requiredOption('--to <place>', 'Where to: postgres://…, or a data folder; empty or not there yet')
  .option('--from <place>', 'Where from; where the settings say that the data are if left out')
  .option('--restart', 'Throw away what an unfinished move has copied')
  .option('--json', 'Print JSON and nothing else');

command(program, 'doctor', 'Examine the data, the settings and the versions', async (options) => {
  const findings = await examine(loadConfig(options));
  if (options.json) print({ ok: findings.every(({ ok }) => ok), findings }, true);
  else
    for (const { check, ok, message } of findings)
      process.stdout.write(`${ok ? 'ok     ' : 'PROBLEM'}  ${check}: ${message}\n`);
  const problem = findings.find(({ ok }) => !ok);
  if (problem) throw new CommandError(`${problem.check}: ${problem.message}`);
})
  .option('--redis <url>', settings.redis.about)
  .option('--json', 'Print JSON and nothing else');

command(program, 'config', 'Print every setting, its value and where it came from', (options) => {
  const { config, sources } = loadConfig(options);
  const rows = (Object.keys(settings) as SettingName[]).map((name) => ({
    name,
    value: shown(name, config),
    source: sources[name],
    flag: settings[name].flag ? `--${settings[name].flag}` : null,
    environment: settings[name].env,
    about: settings[name].about,
  }));
  if (options.json) return print(rows, true);
  for (const { name, value, source, environment, about } of rows) {
    process.stdout.write(`${name} = ${JSON.stringify(value)}  (${source}; ${environment})\n    ${about}\n`);
  }
})
  .option('--redis <url>', settings.redis.about)
  .option('--port <n>', settings.port.about)
  .option('--host <address>', settings.host.about)
  .option('--json', 'Print JSON and nothing else');

/** A setting's value without what is secret in it. */
function shown(name: SettingName, config: Config): unknown {
  const value = config[name];
  if (name === 'secretKey' && value) return '(set)';
  return (name === 'database' || name === 'redis') && value ? withoutPassword(String(value)) : value;
}

/** Runs something long: on a terminal one line of standard error tells what it is at. */
async function onTerminal<T>(run: (tell: (step: string) => void) => Promise<T>): Promise<T> {
  const { isTTY } = process.stderr;
  let shownAt = 0;
  try {
    return await run((step) => {
      const isKept = step.endsWith('\n');
      if (!isTTY || (!isKept && Date.now() - shownAt < 100)) return;
      shownAt = Date.now();
      process.stderr.write(`\r\x1b[K${step}`);
    });
  } finally {
    if (isTTY) process.stderr.write('\r\x1b[K');
  }
}

function print(value: object, asJson: boolean | undefined): void {
  if (asJson) {
    process.stdout.write(`${JSON.stringify(value)}\n`);
    return;
  }
  for (const record of Array.isArray(value) ? value : [value]) {
    const lines = Object.entries(record).map(
      ([name, field]) => `${name}: ${typeof field === 'string' ? field : JSON.stringify(field)}`,
    );
    process.stdout.write(`${lines.join('\n')}\n${Array.isArray(value) ? '\n' : ''}`);
  }
}

/** The one line that tells what went wrong; undefined for a bug, which is shown with its stack. */
function complaint(error: unknown): string | undefined {
  if (error instanceof UniqueViolation) return conflicts[error.index] ?? 'this exists already';
  const known = [CommandError, ConfigError, StorageError, ApiError].some((kind) => error instanceof kind);
  if (known) return (error as Error).message;
  const { code, message } = error as { code?: string; message: string };
  if (code === 'EADDRINUSE') return 'the port is taken: choose another with --port';
  return code?.startsWith('E') ? message : undefined;
}

try {
  await program.parseAsync();
} catch (error) {
  if (error instanceof CommanderError) {
    const message = error.code === 'commander.help' ? 'name a command: see palaver --help' : error.message;
    if (error.exitCode !== 0) process.stderr.write(`${message.replace(/\s+/g, ' ')}\n`);
    process.exitCode = error.exitCode === 0 ? 0 : 1;
  } else {
    process.stderr.write(`${complaint(error) ?? (error as Error).stack}\n`);
    process.exitCode = 1;
  }
}
