import type { Config } from '../config.ts';

const LOOPBACK = /^(127\.|::1$|\[::1\]$|localhost$)/;

/** Settings that expose more to the network than most operators want. Each warning says what to change. */
export function exposures({
  host,
  address,
  metrics,
  metricsPort,
}: Pick<Config, 'host' | 'address' | 'metrics' | 'metricsPort'>): string[] {
  if (LOOPBACK.test(host)) return [];
  const found: string[] = [];
  if (metrics === 'open' && metricsPort === 0)
    found.push(
      '/metrics is open to everybody who reaches this server: block the path in the proxy, or set PALAVER_METRICS_PORT',
    );
  if (address === '')
    found.push(
      'PALAVER_ADDRESS is not set: links start with http://localhost, and sessions are accepted at every host name',
    );
  return found;
}
