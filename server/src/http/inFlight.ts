import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../errors.ts';
import { TenantShares } from '../lib/tenantShares.ts';
import { tenantFor } from './tenant.ts';

declare module 'fastify' {
  interface FastifyInstance {
    inFlight: InFlight;
  }
}

/** The `Retry-After` header of rejected requests, in seconds. */
const RETRY_SECONDS = '1';

/**
 * Limits the requests in flight, because each may hold a body in memory. Streams and uploads have separate
 * limits.
 */
export class InFlight {
  readonly #all: TenantShares;
  /** The function that stops counting a request, for each request in flight. */
  readonly #ends = new WeakMap<FastifyRequest, () => void>();

  constructor(most: number) {
    this.#all = new TenantShares(most);
  }

  /** The number of requests in flight. */
  get amount(): number {
    return this.#all.amount;
  }

  /** Counts a request until its response is closed. Throws RATE_LIMITED. */
  begin(request: FastifyRequest, reply: FastifyReply): void {
    const tenant = tenantFor(request);
    if (!this.#all.hasRoom(tenant)) throw this.#refusal();
    if (reply.raw.destroyed) return;
    this.#all.add(tenant, 1);
    let isOver = false;
    const end = () => {
      if (isOver) return;
      isOver = true;
      this.#all.add(tenant, -1);
    };
    this.#ends.set(request, end);
    reply.raw.once('close', end);
  }

  /** Stops counting a request before its response is closed. */
  end(request: FastifyRequest): void {
    this.#ends.get(request)?.();
  }

  #refusal(): ApiError {
    const { most, isFull } = this.#all;
    const message = isFull
      ? `requests: this node already handles ${most} requests`
      : `requests: you have used up your share of the ${most} requests that this node handles at once`;
    return new ApiError('RATE_LIMITED', `${message}. Try again in a second`, undefined, {
      'retry-after': RETRY_SECONDS,
    });
  }
}
