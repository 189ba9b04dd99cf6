import type { FastifyInstance } from 'fastify';

/** The interval at which idle connections are closed while a node closes. */
const CLOSE_IDLE_INTERVAL_MS = 50;
/** How long a closing node waits for running requests before it closes their connections. */
const CLOSE_TIMEOUT_MS = 8_000;
/** Minimum time for background tasks to end once all connections are closed. */
const MIN_FINISH_MS = 1_000;

/**
 * Closes the app once its clients have their responses, or after `CLOSE_TIMEOUT_MS`, and waits for `others`.
 * Then waits for background tasks, which need the database, for the rest of that time or for `MIN_FINISH_MS`,
 * whichever is longer.
 */
export async function closeApp(app: FastifyInstance, others: Promise<unknown>): Promise<void> {
  const until = performance.now() + CLOSE_TIMEOUT_MS;
  app.background.stop();
  // Keep-alive connections become idle after their response, and clients may keep them open for a long time.
  const idle = setInterval(() => app.server.closeIdleConnections(), CLOSE_IDLE_INTERVAL_MS);
  const rest = setTimeout(() => app.server.closeAllConnections(), CLOSE_TIMEOUT_MS);
  try {
    await app.close();
  } finally {
    clearInterval(idle);
    clearTimeout(rest);
  }
  await others;
  await app.background.ended(Math.max(MIN_FINISH_MS, until - performance.now()));
}
