import type { FastifyReply, FastifyRequest } from 'fastify';
import { networkOf } from '../lib/network.ts';
import { type MailLanguage, mailLanguages } from '../mail/words.ts';
import { type ActOperation, performAct } from '../operations/act.ts';
import { textOf } from '../operations/answer.ts';
import { knownAfter } from '../operations/knownBrowsers.ts';
import type { Services } from '../operations/services.ts';
import { isBearer, sessionOf } from './admit.ts';
import { inputOf, send } from './request.ts';
import { languageFor } from './web/language.ts';

/** Creates the handler for an act. It also sets or clears cookies. */
export const answerAct =
  (operation: ActOperation, services: Services) =>
  async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    const { site } = request.server;
    const from = {
      address: networkOf(request.ip),
      device: request.headers['user-agent'] ?? null,
      language: languageFor(request.headers, mailLanguages).tag as MailLanguage,
      token: operation.people && request.caller && sessionOf(request).token,
      former: site.formerTokenOf(request),
      known: site.knownOf(request),
      isBearer: request.caller !== undefined && isBearer(request),
      origin: site.originOf(request),
      siteAddress: site.addressOf(request),
      hasFixedOrigin: site.hasFixedOrigin,
      binding: site.bindingOf(request),
    };
    const answer = await performAct(services, operation, request.caller, inputOf(request), from);
    if (!from.isBearer) {
      const { token, binding, data } = answer;
      if (token !== undefined) site.setToken(request, reply, token);
      if (token)
        site.setKnown(request, reply, await knownAfter(services, from.known, (data as { id: string }).id));
      if (binding !== undefined) site.setBinding(request, reply, binding);
    }
    return send(reply, answer, textOf(operation.answer, undefined, { data: answer.data }));
  };
