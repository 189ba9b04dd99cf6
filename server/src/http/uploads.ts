import type { Socket } from 'node:net';
import type { FastifyRequest } from 'fastify';
import { ApiError, invalid } from '../errors.ts';
import type { Bounds } from '../limits/bounds.ts';

declare module 'fastify' {
  interface FastifyInstance {
    uploads: Uploads;
  }
}

/** Within each such time, in ms, so many bytes have to come, unless the upload ends before. */
const CHECK_MS = 30_000;
const LEAST_BYTES = 64 * 1024;
/** The time of one upload, in ms, at most. */
const MAX_MS = 15 * 60_000;
/** A refused client may try again after this time. */
const RETRY_SECONDS = '5';

/** The connections on which an upload is under way: they have a time limit of their own. */
const uploading = new WeakSet<Socket>();

export const isUploading = (socket: Socket): boolean => uploading.has(socket);

/** The uploads under way, which are bounded: each takes memory, and room on the disk. */
export class Uploads {
  readonly #bounds: Pick<Bounds, 'uploads' | 'uploadsPerUser'>;
  readonly #ofUsers = new Map<string, number>();
  #all = 0;

  /** The uploads under way. */
  get amount(): number {
    return this.#all;
  }

  constructor(bounds: Pick<Bounds, 'uploads' | 'uploadsPerUser'>) {
    this.#bounds = bounds;
  }

  /** Counts an upload until the returned function is called. Throws RATE_LIMITED if its user, or all users, have too many. */
  begin(userId: string): () => void {
    const { uploads, uploadsPerUser } = this.#bounds;
    const own = this.#ofUsers.get(userId) ?? 0;
    if (own >= uploadsPerUser)
      throw full(`uploadsPerUser: ${uploadsPerUser} uploads of this user are under way`);
    if (this.#all >= uploads) throw full(`uploads: ${uploads} uploads are under way`);
    this.#all++;
    this.#ofUsers.set(userId, own + 1);
    return () => {
      this.#all--;
      const left = (this.#ofUsers.get(userId) ?? 0) - 1;
      if (left > 0) this.#ofUsers.set(userId, left);
      else this.#ofUsers.delete(userId);
    };
  }
}

const full = (message: string): ApiError =>
  new ApiError('RATE_LIMITED', `${message}: try again in ${RETRY_SECONDS} s`, undefined, {
    'retry-after': RETRY_SECONDS,
  });

/** Watches that the body of a request comes fast enough. `tooSlow` is called with INVALID_REQUEST once it does not. */
export function watchPace({ raw }: FastifyRequest, tooSlow: (error: ApiError) => void): () => void {
  const { socket } = raw;
  const until = performance.now() + MAX_MS;
  let seen = socket.bytesRead;
  uploading.add(socket);
  const timer = setInterval(() => {
    if (socket.bytesRead - seen >= LEAST_BYTES && performance.now() < until) {
      seen = socket.bytesRead;
      return;
    }
    stop();
    tooSlow(invalid('too_slow', 'file', 'took too long to arrive'));
  }, CHECK_MS);
  const stop = () => {
    clearInterval(timer);
    uploading.delete(socket);
  };
  return stop;
}
