import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { boundSettings, flowSettings } from './config/boundSettings.ts';
import { callSettings } from './config/calls.ts';
import { fileSettings } from './config/fileSettings.ts';
import { mailFrom, mailSettings } from './config/mail.ts';
import { inFolder, requireOnePlace } from './config/place.ts';
import { providerSettings, requireAddress } from './config/providers.ts';
import type { Setting, Source } from './config/setting.ts';
import { webhookSettings } from './config/webhooks.ts';
import { didYouMean } from './lib/nearest.ts';
import { type SecondFactorRule, secondFactorRules } from './lib/secondFactor.ts';
import { parseSecretKeys } from './lib/secretKeys.ts';
import { addressOf, hostNames, jsonFor, oneOf, siteOf, wholeNumber, words } from './lib/settings.ts';
import { quotasFrom } from './limits/quotas.ts';
import { runtimeSettings } from './limits/runtime.ts';
import { AGENT_CEILING, limitsFrom } from './limits/table.ts';

const define = <S extends Record<string, unknown>>(table: { [K in keyof S]: Setting<S[K]> }) => table;

/** All settings. They are read from the environment only here and in `config/`. */
export const settings = define({
  data: { flag: 'data', env: 'PALAVER_DATA', default: './data', about: 'Data folder', parse: words },
  database: {
    flag: 'database',
    env: 'DATABASE_URL',
    default: '',
    about: 'PostgreSQL database, postgres://…; if empty, or if --data is given, SQLite in the data folder',
    parse: addressOf('postgres', 'postgresql'),
  },
  redis: {
    flag: 'redis',
    env: 'REDIS_URL',
    default: '',
    about: 'Valkey or Redis shared by the nodes, redis://…; required for more than one node',
    parse: addressOf('redis', 'rediss', 'valkey', 'valkeys'),
  },
  connections: {
    env: 'PALAVER_CONNECTIONS',
    default: 10,
    about: 'Maximum PostgreSQL connections per node',
    parse: wholeNumber(3, 1000),
  },
  port: {
    flag: 'port',
    env: 'PALAVER_PORT',
    default: 8080,
    about: 'Port to listen on; 0 for any free port',
    parse: wholeNumber(0, 65_535),
  },
  host: {
    flag: 'host',
    env: 'PALAVER_HOST',
    default: '127.0.0.1',
    about: 'Address to listen on',
    parse: words,
  },
  metricsPort: {
    flag: 'metrics-port',
    env: 'PALAVER_METRICS_PORT',
    default: 0,
    about: 'Separate port for /metrics; 0 for none',
    parse: wholeNumber(0, 65_535),
  },
  metrics: {
    env: 'PALAVER_METRICS',
    default: 'off' as 'off' | 'open',
    about: '/metrics on the main port: off, or open to anybody. On a separate port it is always served',
    parse: oneOf('off', 'open'),
  },
  hosts: {
    env: 'PALAVER_HOSTS',
    default: [] as readonly string[],
    about:
      'Host names of this server, separated by commas; requests with other Host headers are rejected, except to /healthz and /readyz. If empty, all are accepted',
    parse: hostNames,
  },
  address: {
    env: 'PALAVER_ADDRESS',
    default: '',
    about:
      'Public address, such as https://chat.example.com or https://example.com/chat: links start with it, and sessions are accepted only from its pages. If empty, links start with http://localhost and all served hosts are accepted',
    parse: siteOf,
  },
  signUp: {
    env: 'PALAVER_SIGN_UP',
    default: runtimeSettings.signUp.default,
    about: runtimeSettings.signUp.about,
    parse: oneOf(...runtimeSettings.signUp.values),
  },
  serverCreators: {
    env: 'PALAVER_SERVER_CREATORS',
    default: runtimeSettings.serverCreators.default,
    about: runtimeSettings.serverCreators.about,
    parse: oneOf(...runtimeSettings.serverCreators.values),
  },
  serversPerPerson: {
    env: 'PALAVER_SERVERS_PER_PERSON',
    default: runtimeSettings.serversPerPerson.default,
    about: runtimeSettings.serversPerPerson.about,
    parse: wholeNumber(runtimeSettings.serversPerPerson.min, runtimeSettings.serversPerPerson.max),
  },
  limits: {
    env: 'PALAVER_LIMITS',
    default: limitsFrom({}),
    about:
      'Rate limits that override the defaults, as JSON: kind → requests per minute; * sets all others, and 0 means no limit',
    parse: jsonFor(limitsFrom, '{"message": 0, "*": 600}'),
  },
  agentCeiling: {
    env: 'PALAVER_AGENT_CEILING',
    default: AGENT_CEILING,
    about: "Combined rate limit of all agents of a server, as a multiple of one user's limit; 0 for no limit",
    parse: wholeNumber(0, 10_000),
  },
  quotas: {
    env: 'PALAVER_QUOTAS',
    default: quotasFrom({}),
    about:
      'Per-server quotas that override the defaults, as JSON: name → number; * sets all others, and 0 means no limit',
    parse: jsonFor(quotasFrom, '{"webhooks": 50, "channels": 0}'),
  },
  ...boundSettings,
  ...fileSettings,
  ...mailSettings,
  ...providerSettings,
  logLevel: {
    env: 'PALAVER_LOG_LEVEL',
    default: 'info' as const,
    about: 'Log level: all requests at debug, rejected ones at info, failed ones at error',
    parse: oneOf('debug', 'info', 'warn', 'error', 'silent'),
  },
  log: {
    env: 'PALAVER_LOG',
    default: 'auto',
    about: 'Log format: pretty, json, or auto, which is pretty on a terminal and json elsewhere',
    parse: oneOf('auto', 'pretty', 'json'),
  },
  proxies: {
    env: 'PALAVER_PROXIES',
    default: 0,
    about: 'Number of reverse proxies in front of the server that set X-Forwarded-For',
    parse: wholeNumber(0, 10),
  },
  drain: {
    env: 'PALAVER_DRAIN',
    default: 0,
    // With a single node, waiting would not help: there is no other node to switch to.
    defaultBeside: ({ redis, proxies }) => (redis !== '' && proxies !== 0 ? 5 : 0),
    about:
      'Seconds that a stopping node keeps serving while /readyz fails, which gives load balancers time to switch to other nodes; default 5 if REDIS_URL and PALAVER_PROXIES are set, else 0',
    parse: wholeNumber(0, 60),
  },
  eventDays: {
    env: 'PALAVER_EVENT_DAYS',
    default: runtimeSettings.eventDays.default,
    about: runtimeSettings.eventDays.about,
    parse: wholeNumber(runtimeSettings.eventDays.min, runtimeSettings.eventDays.max),
  },
  maxKeyDays: {
    env: 'PALAVER_MAX_KEY_DAYS',
    default: 0,
    about: 'Maximum age of API keys in days; 0 for no limit',
    parse: wholeNumber(0, 3650),
  },
  secondFactor: {
    env: 'PALAVER_SECOND_FACTOR',
    default: 'off' as SecondFactorRule,
    about:
      'Require two-factor authentication or a passkey from nobody (off), admins of the platform or of a server (admins), or everybody (all)',
    parse: oneOf(...secondFactorRules),
  },
  ...callSettings,
  ...flowSettings,
  ...webhookSettings,
  secretKey: {
    env: 'PALAVER_SECRET_KEY',
    default: '',
    about:
      'Key that encrypts secrets, 32 bytes in base64url. Additional keys, separated by commas, are used only to decrypt. If empty, a key is created and kept in the file secret.key of the data folder or, with PostgreSQL, in the database',
    parse(value: unknown): string {
      if (value !== '' && (typeof value !== 'string' || !parseSecretKeys(value))) {
        throw new Error('must be 32 bytes in base64url, or several such keys separated by commas');
      }
      return value;
    },
  },
});

type Settings = typeof settings;
export type SettingName = keyof Settings;
export type Config = {
  readonly [K in SettingName]: Settings[K]['default'] extends 'info'
    ? string
    : ReturnType<Settings[K]['parse']>;
};

/** Thrown for an invalid setting or config file. The message names it. */
export class ConfigError extends Error {}

export interface LoadedConfig {
  config: Config;
  sources: Record<SettingName, Source>;
  /** The path of the config file that was read, if any. */
  file: string | undefined;
}

/**
 * Loads the settings. The config file is `--config`, `PALAVER_CONFIG`, or `palaver.json` in the data folder
 * if it exists: a JSON object keyed by setting names. Throws ConfigError.
 */
export function loadConfig(flags: Record<string, unknown>, environment = process.env): LoadedConfig {
  const value = (name: SettingName, file: Record<string, unknown>): { value: unknown; source: Source } => {
    const { flag, env, default: fallback } = settings[name];
    // `--metrics-port` arrives as `metricsPort`.
    if (flag && flags[name] !== undefined) return { value: flags[name], source: 'flag' };
    if (environment[env] !== undefined && environment[env] !== '')
      return { value: environment[env], source: 'environment' };
    if (file[name] !== undefined) return { value: file[name], source: 'file' };
    return { value: fallback, source: 'default' };
  };
  const data = resolve(String(value('data', {}).value));
  const named = (flags.config as string | undefined) ?? (environment.PALAVER_CONFIG || undefined);
  const { path, content } = readFile(named, join(data, 'palaver.json'));

  const config: Record<string, unknown> = {};
  const sources: Partial<Record<SettingName, Source>> = {};
  for (const name of Object.keys(settings) as SettingName[]) {
    const found = inFolder(name, value(name, content), { flags, named });
    sources[name] = found.source;
    try {
      config[name] =
        found.source === 'default'
          ? (settings[name].defaultBeside?.(config) ?? found.value)
          : settings[name].parse(found.value);
    } catch (error) {
      throw new ConfigError(`${nameOf(name, found.source)} ${(error as Error).message}`);
    }
  }
  for (const check of [mailFrom, requireAddress, () => requireOnePlace(flags)]) {
    try {
      check(config as Config);
    } catch (error) {
      throw new ConfigError((error as Error).message);
    }
  }
  return {
    config: { ...config, data } as Config,
    sources: sources as Record<SettingName, Source>,
    file: path,
  };
}

function nameOf(name: SettingName, source: Source): string {
  if (source === 'flag') return `--${settings[name].flag}`;
  return source === 'environment' ? settings[name].env : `"${name}" in the config file`;
}

function readFile(
  named: string | undefined,
  usual: string,
): { path?: string; content: Record<string, unknown> } {
  const path = named ?? usual;
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    const { code } = error as { code?: string };
    // An invalid data folder is reported when it is opened.
    if (named === undefined && (code === 'ENOENT' || code === 'ENOTDIR')) return { content: {} };
    throw new ConfigError(
      code === 'ENOENT'
        ? `the config file ${path} does not exist`
        : `the config file ${path} cannot be read: ${code}`,
    );
  }
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch {
    throw new ConfigError(`the config file ${path} is not valid JSON`);
  }
  if (typeof content !== 'object' || content === null || Array.isArray(content)) {
    throw new ConfigError(`the config file ${path} must contain a JSON object`);
  }
  const unknown = Object.keys(content).find((name) => !Object.hasOwn(settings, name));
  if (unknown)
    throw new ConfigError(
      `the config file ${path} has no setting "${unknown}"${didYouMean(unknown, Object.keys(settings))}`,
    );
  return { path, content: content as Record<string, unknown> };
}
