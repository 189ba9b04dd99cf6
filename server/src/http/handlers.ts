import type { FastifyInstance } from 'fastify';
import type { Background } from '../lib/background.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /**
     * Tracks the running steps of requests, because Fastify closes without waiting for requests whose client
     * has disconnected.
     */
    background: Background;
  }
}

/** Tracks running handlers as background tasks. Applies to all routes that are registered after this call. */
export function watchHandlers(app: FastifyInstance, background: Background): void {
  app.decorate('background', background);
  app.addHook('onRoute', (route) => {
    const { handler } = route;
    route.handler = function watched(request, reply) {
      const answer: unknown = handler.call(this, request, reply);
      if (answer instanceof Promise) background.add(answer);
      return answer;
    };
  });
}
