import type { FastifyRequest } from 'fastify';

/**
 * Whether the client is a browser: it accepts HTML with at least the same weight as JSON (RFC 9110,
 * 12.5.1).
 */
export function wantsPage({ headers }: FastifyRequest): boolean {
  const liked = (type: string): number => {
    const entry = (headers.accept ?? '')
      .split(',')
      .find((each) => each.trim().toLowerCase().split(';')[0] === type);
    return entry === undefined ? 0 : Number(/;\s*q=([\d.]+)/.exec(entry)?.[1] ?? 1);
  };
  return liked('text/html') > 0 && liked('text/html') >= liked('application/json');
}
