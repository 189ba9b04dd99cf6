import { startOption } from '../config/environment.ts';
import { type Config, ConfigError } from '../config.ts';

/** Unprivileged users cannot listen on ports below this one. */
const FIRST_FREE_PORT = 1024;

/** Turns the error from a failed `listen` into advice for the operator; returns any other error unchanged. */
export function listenError(error: unknown, { host, port, metricsPort }: Config): unknown {
  const { code, syscall, ...at } = error as { code?: string; syscall?: string; port?: number };
  if (syscall === 'getaddrinfo') return noAddress(host);
  if (syscall !== 'listen') return error;
  const isMetrics = at.port === metricsPort && at.port !== port;
  const option = startOption(isMetrics ? '--metrics-port' : '--port');
  switch (code) {
    case 'EADDRINUSE':
      return new ConfigError(`port ${at.port} is in use: choose another with ${option}`);
    case 'EACCES':
      return new ConfigError(
        `port ${at.port} needs more privileges: choose port ${FIRST_FREE_PORT} or higher with ${option}`,
      );
    case 'EADDRNOTAVAIL':
      return noAddress(host);
    default:
      return error;
  }
}

const noAddress = (host: string): ConfigError =>
  new ConfigError(`${host} is not an address of this machine: choose another with ${startOption('--host')}`);
