import { isUtf8 } from 'node:buffer';
import type { FastifyInstance } from 'fastify';
import { invalid } from '../errors.ts';

/** Limits of a body (decisions, part 2). */
export const MAX_BODY_BYTES = 256 * 1024;
const MAX_DEPTH = 32;

/** Accepts JSON in UTF-8 and nothing else; every refusal is INVALID_REQUEST. */
export function acceptJson(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    /^application\/([\w.-]+\+)?json\b/,
    { parseAs: 'buffer' },
    (request, bytes, done) => {
      try {
        const charset = /charset="?([^";\s]+)/i.exec(request.headers['content-type'] ?? '')?.[1];
        if (charset && !/^utf-?8$/i.test(charset)) throw invalid('', 'the body must be JSON in UTF-8');
        done(null, parseJson(bytes as Buffer));
      } catch (error) {
        done(error as Error);
      }
    },
  );
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, bytes, done) => {
    if (bytes.length === 0) done(null, undefined);
    else done(invalid('', 'the body must be JSON, with the header "Content-Type: application/json"'));
  });
}

/** Parses a body; an empty one is undefined. Throws INVALID_REQUEST. */
export function parseJson(bytes: Buffer): unknown {
  if (bytes.length === 0) return undefined;
  if (!isUtf8(bytes)) throw invalid('', 'the body must be JSON in UTF-8');
  let value: unknown;
  try {
    value = JSON.parse(bytes.toString('utf8'));
  } catch {
    throw invalid('', 'the body is not valid JSON');
  }
  inspect(value, '', 1);
  return value;
}

/** Refuses what no engine can keep: text with U+0000 or half a surrogate pair; and what is nested too deep. */
function inspect(value: unknown, path: string, depth: number): void {
  if (typeof value === 'string') inspectText(value, path);
  if (typeof value !== 'object' || value === null) return;
  if (depth > MAX_DEPTH) throw invalid('', `the body is nested more than ${MAX_DEPTH} deep`);
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) inspect(value[index], `${path}[${index}]`, depth + 1);
    return;
  }
  for (const key of Object.keys(value)) {
    inspectText(key, path);
    inspect((value as Record<string, unknown>)[key], path === '' ? key : `${path}.${key}`, depth + 1);
  }
}

/** Throws INVALID_REQUEST for text that is not well-formed Unicode without U+0000. */
export function inspectText(text: string, path: string): void {
  if (text.includes('\0')) throw invalid(path, 'must not contain U+0000');
  if (!text.isWellFormed()) throw invalid(path, 'must not contain an unpaired surrogate');
}
