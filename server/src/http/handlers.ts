import type { FastifyInstance } from 'fastify';
import type { Background } from '../lib/background.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** The running steps of requests. Fastify closes without waiting for those whose client has disconnected. */
    background: Background;
  }
}

/** Adds the handlers of all routes that are registered afterwards to the background tasks while they run. */
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
