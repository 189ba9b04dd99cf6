import { q } from '../../db/statements.ts';
import { invalid } from '../../errors.ts';
import { allSteps, type Step } from '../../flows/steps.ts';
import { pathsIn } from '../../flows/template.ts';
import type { Work } from '../../operations/work.ts';

/**
 * Whether a host matches one of these patterns. A pattern is a name, or `*.example.com` for all subdomains.
 */
export const isWithinHosts = (host: string, hosts: readonly string[]): boolean => {
  const name = host.replace(/\.$/, '').toLowerCase();
  return hosts.some((one) => (one.startsWith('*.') ? name.endsWith(one.slice(1)) : name === one));
};

/** Returns the names of the secrets that a step sends or uses to sign. */
export function secretNamesIn({ name: _name, do: _do, ...fields }: Step): string[] {
  const named = pathsIn(fields).flatMap(([root, name]) => (root === 'secret' && name ? [name] : []));
  if (typeof fields.sign === 'string') named.push(fields.sign);
  return [...new Set(named)];
}

/** Throws INVALID_REQUEST if a step would send a secret to a host that the secret does not allow. */
export async function requireSecretHosts(
  { db }: Pick<Work, 'db'>,
  serverId: string,
  steps: readonly Step[],
): Promise<void> {
  for (const { step, path } of allSteps(steps)) {
    const host = step.do === 'http.call' ? hostIn(String(step.url)) : undefined;
    if (host === undefined) continue;
    for (const name of secretNamesIn(step)) {
      const rows = q.selectFrom('secret').select('hosts').where('serverId', '=', serverId);
      const named = rows.where('kind', '=', 'appSecret').where('name', '=', name);
      const secret = await db.first(named.orderBy('id', 'desc').limit(1));
      if (secret && !isWithinHosts(host, secret.hosts ?? []))
        throw invalid('mismatch', `${path}.url`, `is not on a host that the secret ${name} allows`);
    }
  }
}

/**
 * Returns the host of a URL if it is literal; undefined if it depends on templates, or if the text is not a
 * URL.
 */
const hostIn = (url: string): string | undefined => {
  const host = URL.parse(url)?.hostname;
  return host && !host.includes('{') ? host : undefined;
};
