import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { FastifyBaseLogger, FastifyInstance, FastifyRequest } from 'fastify';
import type { Caller } from '../../access/authenticator.ts';
import { prefixes } from '../../access/credentials/token.ts';
import { errorCodes } from '../../errors.ts';
import { Ticker } from '../../lib/ticker.ts';
import { HOOK_PREFIX } from '../../payloads/suffixes.ts';

const prefix = randomBytes(6).toString('base64url');
let requests = 0;

/**
 * Returns the client's `X-Request-Id` if it has at most 64 letters, digits, `_`, `.` and `-`. Otherwise,
 * returns a new id.
 */
export function requestId({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const given = headers['x-request-id'];
  if (typeof given === 'string' && /^[\w.-]{1,64}$/.test(given)) return given;
  requests++;
  return `${prefix}-${requests.toString(36)}`;
}

const pinoLevels = { debug: 20, info: 30, warn: 40, error: 50 };

/**
 * Logs one line per request, at a level that depends on the status. Once a minute, also logs how many
 * requests with each key were forbidden. Headers, bodies and queries are never logged.
 */
export function logRequests(app: FastifyInstance): void {
  const refusals = new Refusals(app.log);
  app.addHook('onClose', async () => refusals.end());
  app.addHook('onResponse', (request, reply, done) => {
    if (reply.statusCode === errorCodes.FORBIDDEN && request.caller) refusals.note(request.caller);
    logRequest(request, reply.statusCode, Math.round(reply.elapsedTime));
    done();
  });
}

/** Logs one request, with the status of its response and its duration in milliseconds. */
export function logRequest(request: FastifyRequest, status: number, ms: number): void {
  const level = status >= 500 ? 'error' : status >= 400 ? 'info' : 'debug';
  const { log } = request;
  if (pinoLevels[level] < (pinoLevels[log.level as keyof typeof pinoLevels] ?? Number.POSITIVE_INFINITY))
    return;
  const { method, id, ip, caller } = request;
  const userId = caller?.principal.userId;
  log[level]({ requestId: id, method, path: loggedPath(request), status, ms, ip, userId }, 'request');
}

/**
 * Returns the path to log. Omits the paths of incoming webhooks, however they are encoded and even if the
 * request is rejected, because their tokens are secrets. Also omits any other path with a token, although
 * tokens should not be in paths.
 */
function loggedPath({ url, routeOptions }: FastifyRequest): string {
  // The request target may be an absolute URL (RFC 9112, 3.2.2), which may contain a password.
  const [path = ''] = url.replace(/^[a-z][a-z\d+.-]*:\/\/[^/?]*/i, '').split('?', 1);
  if (routeOptions?.url?.startsWith(HOOK_PREFIX) || matches(path, HOOK)) return `${HOOK_PREFIX}…`;
  return matches(path, TOKEN) ? '/…' : path || '/';
}

const HOOK = /hook_plv|[\\/]hooks(?![\w-])/i;
/** Matches the prefix of a token without its last character, because a client may have truncated it. */
const TOKEN = new RegExp(
  Object.values(prefixes)
    .map((prefix) => prefix.slice(0, -1))
    .join('|'),
  'i',
);

/** Maximum rounds of decoding. A path that needs more is probably an attempt to hide something. */
const MAX_DECODINGS = 5;

/** Whether a path contains the pattern, regardless of its encoding. */
function matches(path: string, pattern: RegExp): boolean {
  let text = path;
  for (let decodings = 0; decodings < MAX_DECODINGS; decodings++) {
    if (pattern.test(text)) return true;
    const decoded = text.replace(/%([\da-f]{2})/gi, (_, digits) =>
      String.fromCharCode(Number.parseInt(digits, 16)),
    );
    if (decoded === text) return false;
    text = decoded;
  }
  return true;
}

/** Interval between reports. */
const REPORT_INTERVAL_MS = 60_000;
/** Maximum number of keys counted individually between two reports; all others are counted together. */
const MAX_KEYS = 1_000;

/** Counts forbidden requests, and reports them once a minute with a line per key. */
class Refusals {
  readonly #log: Pick<FastifyBaseLogger, 'warn'>;
  readonly #counts = new Map<string, { userId: string; refused: number }>();
  #further = 0;
  /** Runs while there is something to report. */
  readonly #ticker = new Ticker(() => this.end(), REPORT_INTERVAL_MS);

  constructor(log: Pick<FastifyBaseLogger, 'warn'>) {
    this.#log = log;
  }

  note({ credential: { id }, principal: { userId } }: Caller): void {
    const count = this.#counts.get(id);
    if (count) count.refused++;
    else if (this.#counts.size < MAX_KEYS) this.#counts.set(id, { userId, refused: 1 });
    else this.#further++;
    this.#ticker.start();
  }

  /** Reports the counts since the last report. */
  end(): void {
    this.#ticker.stop();
    this.#report();
  }

  #report(): void {
    for (const [keyId, { userId, refused }] of this.#counts)
      this.#log.warn({ keyId, userId, refused }, 'requests with this key were forbidden');
    if (this.#further > 0)
      this.#log.warn({ refused: this.#further }, 'requests with other keys were forbidden');
    this.#counts.clear();
    this.#further = 0;
  }
}
