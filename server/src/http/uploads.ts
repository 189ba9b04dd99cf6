import type { Socket } from 'node:net';
import type { FastifyRequest } from 'fastify';
import { type ApiError, invalid } from '../errors.ts';
import type { Running } from '../limits/running.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** The uploads under way: each takes memory, and room on the disk. */
    uploads: Running<'uploads'>;
  }
}

/** Within each such time, in ms, so many bytes have to come, unless the upload ends before. */
const CHECK_MS = 30_000;
const LEAST_BYTES = 64 * 1024;
/** The time of one upload, in ms, at most. */
const MAX_MS = 15 * 60_000;

/** The connections on which an upload is under way: they have a time limit of their own. */
const uploading = new WeakSet<Socket>();

export const isUploading = (socket: Socket): boolean => uploading.has(socket);

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
