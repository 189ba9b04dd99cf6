import type { FastifyInstance } from 'fastify';
import { API_PREFIX } from '../operations/operation.ts';
import type { Services } from '../operations/services.ts';
import { admit } from './admit.ts';
import { pathNotFound } from './server.ts';
import type { AnswerMissing } from './web/mount.ts';

/**
 * Responds to unknown paths with NOT_FOUND before the body is read, so a bad body doesn't hide that error.
 * Browsers get the client's 404 page, except below `/api`.
 */
export function refuseUnknownPaths(
  app: FastifyInstance,
  services: Services,
  answerMissing: AnswerMissing,
): void {
  app.addHook('onRequest', (request, reply, done) => {
    if (!request.is404) return done();
    const isAnswered = async (): Promise<boolean> => {
      if (request.url.startsWith(`${API_PREFIX}/`)) await admit(services, 'query', request, reply);
      return !/^\/+api(\/|\?|$)/i.test(request.url) && (await answerMissing(request, reply));
    };
    const refuse = (answered: boolean) => {
      if (!answered) done(pathNotFound(request.method, request.url));
    };
    isAnswered().then(refuse, done);
  });
}
