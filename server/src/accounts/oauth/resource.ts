import { type Flag, flagMeanings } from '../../lib/flags.ts';

/** The scope that every grant has. It allows reading what the person's roles can see. */
const READ = 'read';

/** The scopes of grants, named after the flags. */
export const scopes: readonly string[] = [READ, ...Object.keys(flagMeanings)];

/** Returns the scope of a grant with these flags, as in token responses. */
export const scopeOf = (flags: readonly Flag[]): string => [READ, ...flags].join(' ');

/** The path of a server's resource. */
const MCP_PATH = '/mcp';

/** Returns the resource of a server's grants (RFC 8707). `address` is the public address of this site. */
export const resourceOf = (address: string, serverId: string): string => `${address}${MCP_PATH}/${serverId}`;

/**
 * Whether a client may ask for `resource` with a grant for this server. It may be the server's own resource,
 * the whole site, or the site's MCP endpoint. The last two name no server.
 */
export function isResourceOf(resource: string, address: string, serverId: string): boolean {
  const asked = resource.replace(/\/$/, '');
  return asked === address || asked === `${address}${MCP_PATH}` || asked === resourceOf(address, serverId);
}
