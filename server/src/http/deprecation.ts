import type { FastifyReply, FastifyRequest } from 'fastify';
import { type DeprecatedUse, deprecatedUses } from '../operations/deprecation.ts';
import { type Described, pathOf } from '../operations/operation.ts';
import { addLink } from './request.ts';

/** The path of the deprecation policy on every server. */
const POLICY = '/docs/guides/conventions#deprecation';

/** A callback that counts uses of a deprecated feature per credential. */
export type CountUse = (name: string, keyId: string) => void;

/**
 * Creates a step that tells clients which deprecated operations, fields and parameters they use, and counts
 * each use. Undefined if the operation has none. `operations` must contain all operations that are served.
 * Throws an Error if a replacement is not among them.
 */
export function deprecationStep(
  operation: Described,
  operations: readonly Described[],
  count: CountUse,
): ((request: FastifyRequest, reply: FastifyReply) => void) | undefined {
  const usesOf = deprecatedUses(operation);
  if (!usesOf) return undefined;
  const successor = successorOf(operation, operations);
  return (request, reply) => {
    const uses = usesOf(request.query, request.body);
    if (uses.length === 0) return;
    setHeaders(reply, uses);
    const params = request.params as Record<string, string>;
    if (successor?.path.match(/:\w+/g)?.every((name) => name.slice(1) in params) ?? successor)
      addLink(
        reply,
        `<${request.server.site.base}${pathOf(successor as Described, params)}>; rel="successor-version"`,
      );
    const { credential } = request.caller ?? {};
    for (const { name } of uses) count(name, credential?.kind === 'apiKey' ? credential.id : 'none');
  };
}

function successorOf({ operation, deprecated }: Described, all: readonly Described[]): Described | undefined {
  if (deprecated?.use === undefined) return undefined;
  const found = all.find((each) => each.operation === deprecated.use);
  if (!found) throw new Error(`${operation}: there is no operation ${deprecated.use} to use in its place`);
  return found;
}

/** Sets the `Deprecation` (RFC 9745), `Sunset` (RFC 8594) and `Link` headers, with the earliest dates. */
function setHeaders(reply: FastifyReply, uses: readonly DeprecatedUse[]): void {
  const earliest = (field: 'since' | 'sunset'): number =>
    Math.min(...uses.map(({ deprecation }) => Date.parse(deprecation[field])));
  reply
    .header('deprecation', `@${earliest('since') / 1000}`)
    .header('sunset', new Date(earliest('sunset')).toUTCString());
  for (const rel of ['deprecation', 'sunset'])
    addLink(reply, `<${reply.server.site.base}${POLICY}>; rel="${rel}"; type="text/html"`);
}
