import { settings } from '../config.ts';
import { nearest } from '../lib/nearest.ts';

/** Variables that are no settings of a node, and the options that win over them. */
const remoteVariables = { url: 'PALAVER_URL', key: 'PALAVER_KEY' } as const;

const CONFIG_FILE = 'PALAVER_CONFIG';

const known = [
  ...Object.values(settings).map(({ env }) => env),
  ...Object.values(remoteVariables),
  CONFIG_FILE,
];

/** Variables that Kubernetes gives to containers beside a service called `palaver`. */
const ofKubernetes = /^PALAVER_(SERVICE_|PORT_\d)/;

/** A line for each variable that looks like a setting and is none, with the one that was probably meant. */
export function strangeVariables(environment = process.env): string[] {
  return Object.keys(environment)
    .filter((name) => name.startsWith('PALAVER_') && !known.includes(name) && !ofKubernetes.test(name))
    .map((name) => {
      const meant = nearest(name, known);
      return `${name} is no setting, and does nothing: ${meant ? `did you mean ${meant}?` : 'see palaver config'}`;
    });
}

/** The address and the key of a running server, for commands that are its clients: undefined where they are not set. */
export const remoteFrom = (
  environment = process.env,
): { url: string | undefined; key: string | undefined } => ({
  url: environment[remoteVariables.url] || undefined,
  key: environment[remoteVariables.key] || undefined,
});

/** What comes before the options of `palaver start` as the operator has typed it: `npm start` takes them after `--`. */
export function startTyped(environment = process.env): 'npm start --' | 'palaver start' {
  const isNpm = environment.npm_lifecycle_event === 'start' && environment.npm_package_name === 'palaver';
  return isNpm ? 'npm start --' : 'palaver start';
}

/** An option of `palaver start` in an advice: as it is typed, with `npm start --` before it where that is needed. */
export const startOption = (option: string, environment = process.env): string =>
  startTyped(environment) === 'npm start --' ? `npm start -- ${option}` : option;
