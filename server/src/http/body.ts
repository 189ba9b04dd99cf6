import { isUtf8 } from 'node:buffer';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { invalid } from '../errors.ts';

/** Maximum size of a body, in bytes (decisions, part 2). */
export const MAX_BODY_BYTES = 256 * 1024;

/** Accepts only JSON bodies in UTF-8; rejects all others with INVALID_REQUEST. */
export function acceptJson(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    /^application\/([\w.-]+\+)?json\s*(;|$)/,
    { parseAs: 'buffer' },
    (request, bytes, done) => {
      try {
        requireUncoded(request, bytes as Buffer);
        const charset = /charset="?([^";\s]+)/i.exec(request.headers['content-type'] ?? '')?.[1];
        if (charset && !/^utf-?8$/i.test(charset))
          throw invalid('bad_encoding', '', 'the body must be JSON in UTF-8');
        done(null, parseJson(bytes as Buffer, exactly));
      } catch (error) {
        done(error as Error);
      }
    },
  );
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, bytes, done) => {
    if (bytes.length === 0) done(null, undefined);
    else
      done(
        invalid(
          'wrong_media_type',
          '',
          'the body must be JSON, with the header "Content-Type: application/json"',
        ),
      );
  });
}

/** Throws INVALID_REQUEST for a compressed body, because a few kilobytes may decompress to megabytes. */
export function requireUncoded({ headers }: Pick<FastifyRequest, 'headers'>, body: { length: number }): void {
  const coding = headers['content-encoding'] ?? 'identity';
  if (body.length > 0 && !/^\s*identity\s*$/i.test(coding))
    throw invalid('bad_encoding', '', 'the body must not be compressed. Remove the header Content-Encoding');
}

/** Matches text that may contain an integer beyond 2^53. */
const LONG_INTEGER = /\d{16}/;

type Reviver = (name: string, value: unknown, context: { source?: string }) => unknown;

/** Keeps integers beyond 2^53 as BigInt, which validation rejects. As numbers, they would be rounded. */
const exactly: Reviver = (_name, value, { source = '' }) =>
  typeof value === 'number' && !Number.isSafeInteger(value) && /^-?\d+$/.test(source)
    ? BigInt(source)
    : value;

/**
 * Parses a body. Returns undefined for an empty body. `revive` is called for each value if there may be long
 * integers. Throws INVALID_REQUEST.
 */
export function parseJson(bytes: Buffer, revive?: Reviver): unknown {
  if (bytes.length === 0) return undefined;
  if (!isUtf8(bytes)) throw invalid('bad_encoding', '', 'the body must be JSON in UTF-8');
  try {
    const text = bytes.toString('utf8');
    return revive && LONG_INTEGER.test(text) ? JSON.parse(text, revive as never) : JSON.parse(text);
  } catch {
    throw invalid('bad_json', '', 'the body is not valid JSON');
  }
}
