import { settings } from '../config.ts';
import { nearest } from '../lib/nearest.ts';

/** Variables for commands that talk to a running server, keyed by the option that overrides each. */
const remoteVariables = { url: 'PALAVER_URL', key: 'PALAVER_KEY' } as const;

const CONFIG_FILE = 'PALAVER_CONFIG';

const known = [
  ...Object.values(settings).map(({ env }) => env),
  ...Object.values(remoteVariables),
  CONFIG_FILE,
];

/** Variables that Kubernetes injects into containers next to a service named `palaver`. */
const ofKubernetes = /^PALAVER_(SERVICE_|PORT_\d)/;

/**
 * Returns a warning for each variable that looks like a setting but is not one, and suggests the closest
 * setting, if there is one.
 */
export function strangeVariables(environment = process.env): string[] {
  return Object.keys(environment)
    .filter((name) => name.startsWith('PALAVER_') && !known.includes(name) && !ofKubernetes.test(name))
    .map((name) => {
      const meant = nearest(name, known);
      return `${name} is not a setting and is ignored: ${meant ? `did you mean ${meant}?` : 'run palaver config to see the settings'}`;
    });
}

/** Returns the URL and API key of a running server, for client commands; undefined if they are not set. */
export const remoteFrom = (
  environment = process.env,
): { url: string | undefined; key: string | undefined } => ({
  url: environment[remoteVariables.url] || undefined,
  key: environment[remoteVariables.key] || undefined,
});

/** Returns the command as the operator typed it, for hints. With `npm start`, options come after `--`. */
export function startTyped(environment = process.env): 'npm start --' | 'palaver start' {
  const isNpm = environment.npm_lifecycle_event === 'start' && environment.npm_package_name === 'palaver';
  return isNpm ? 'npm start --' : 'palaver start';
}

/** Formats an option of `palaver start` for a hint, prefixed with `npm start --` if needed. */
export const startOption = (option: string, environment = process.env): string =>
  startTyped(environment) === 'npm start --' ? `npm start -- ${option}` : option;
