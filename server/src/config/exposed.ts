import type { Config } from '../config.ts';

const LOOPBACK = /^(127\.|::1$|\[::1\]$|localhost$)/;

/**
 * Warns about settings that expose more to the network than most operators intend. Each warning says how to
 * change that.
 */
export function exposures({
  host,
  address,
  metrics,
  metricsPort,
  database,
  redis,
}: Pick<Config, 'host' | 'address' | 'metrics' | 'metricsPort' | 'database' | 'redis'>): string[] {
  const found: string[] = [];
  if (isPlain(database))
    found.push('the connection to PostgreSQL is not encrypted: add ?sslmode=verify-full to DATABASE_URL');
  if (isPlain(redis)) found.push('the connection to Valkey is not encrypted: use rediss:// in REDIS_URL');
  if (LOOPBACK.test(host)) return found;
  if (metrics === 'open' && metricsPort === 0)
    found.push(
      '/metrics is open to everybody who can reach this server: block the path in the proxy, or set PALAVER_METRICS_PORT',
    );
  if (address === '')
    found.push(
      'PALAVER_ADDRESS is not set: links start with http://localhost, and sessions are accepted on every host name',
    );
  return found;
}

/**
 * Whether a URL connects to another machine without TLS. A name without a dot is assumed to be a container on
 * the same machine.
 */
function isPlain(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, hostname, searchParams } = new URL(url);
  if (LOOPBACK.test(hostname) || !/[.:]/.test(hostname)) return false;
  const isEncrypted =
    /^(rediss|valkeys):$/.test(protocol) || /^(require|verify-)/.test(searchParams.get('sslmode') ?? '');
  return !isEncrypted;
}
