import type { Socket } from 'node:net';
import type { FastifyRequest } from 'fastify';
import { type ApiError, invalid } from '../errors.ts';
import type { Running } from '../limits/running.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** Limits running uploads, because each takes memory and disk space. */
    uploads: Running<'uploads'>;
  }
}

/**
 * The minimum speed: an upload must receive `LEAST_BYTES` in every interval of `CHECK_MS`, unless it ends
 * earlier.
 */
const CHECK_MS = 30_000;
const LEAST_BYTES = 64 * 1024;
/** Timeout of an upload, in ms. */
const MAX_MS = 15 * 60_000;

/** Connections with a running upload, which have their own timeouts. */
const uploading = new WeakSet<Socket>();

export const isUploading = (socket: Socket): boolean => uploading.has(socket);

/**
 * Enforces the minimum speed and the timeout. Calls `tooSlow` with INVALID_REQUEST if an upload violates
 * either. Returns the function that stops watching.
 */
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
