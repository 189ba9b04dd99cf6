import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { textOf } from '../operations/answer.ts';
import { ignoredParameters } from '../operations/ignored.ts';
import { Joined } from '../operations/joined.ts';
import { prefixOf } from '../operations/operation.ts';
import { type Operation, perform } from '../operations/perform.ts';
import type { ReadOperation } from '../operations/read.ts';
import type { Services } from '../operations/services.ts';
import type { WriteOperation } from '../operations/write.ts';
import { answerAct } from './act.ts';
import {
  admit,
  admitAnybody,
  admitPage,
  admitPerson,
  byCookieOr,
  byCredential,
  byTicketOrKey,
  byTicketOrSession,
  hookOf,
} from './admit.ts';
import { isKept, notModified } from './conditional.ts';
import { type CountUse, deprecationStep } from './deprecation.ts';
import { answerDownload } from './download.ts';
import { sendJoined } from './joined.ts';
import type { Observe } from './observe/metrics.ts';
import { addLink, inputOf, keyOf, linkTo, send } from './request.ts';
import { answerFollow } from './streams/follow.ts';
import type { Streams } from './streams/streams.ts';
import { answerUpload, uploadScope } from './upload.ts';

/**
 * Serves operations over HTTP. Every request takes the same steps (decisions, part 1): authenticate and rate
 * limit once the headers have arrived, parse the body, run the steps of `perform`, and respond.
 */
export function mount(
  app: FastifyInstance,
  operations: readonly Operation[],
  services: Services,
  streams: Streams,
  observe: Observe,
  countUse: CountUse,
): void {
  for (const operation of operations) {
    const { kind, method, open, people, withoutFactor } = operation;
    const find = findFor(operation);
    const ignored = ignoredParameters(operation);
    const tellDeprecated = deprecationStep(operation, operations, countUse);
    const url = prefixOf(operation) + operation.path;
    const admission = (request: FastifyRequest, reply: FastifyReply) => {
      if (people)
        return open
          ? admitPage(services, kind, request, reply)
          : admitPerson(services, kind, request, reply, find, withoutFactor);
      return open
        ? admitAnybody(services, kind, request, reply)
        : admit(services, kind, request, reply, find);
    };
    const answer = answering(operation, services, streams);
    const register = (scope: FastifyInstance) =>
      scope.route({
        // A stream never ends, so a HEAD request for it would occupy a proxy's connection forever. Other reads share
        // a route with HEAD, because Fastify's separate HEAD routes take 5 % of the startup time.
        method: method === 'GET' && operation.does !== 'follow' ? ['GET', 'HEAD'] : method,
        url,
        exposeHeadRoute: false,
        onRequest: hookOf(admission),
        preHandler(request, reply, done) {
          const names = ignored(request.query, request.body);
          if (names) reply.header('ignored-parameters', names);
          tellDeprecated?.(request, reply);
          done();
        },
        onResponse: observe(method, url),
        handler: answer,
      });
    if (operation.does === 'upload') app.register(uploadScope(operation, register));
    else register(app);
  }
}

/**
 * Selects how an operation authenticates. Undefined means by API key or session or, for people, by session.
 */
function findFor(operation: Operation) {
  if (operation.people && operation.keys) return byCredential;
  if (operation.does === 'follow') return operation.people ? byTicketOrSession : byTicketOrKey;
  const serverOf = operation.does === 'download' ? operation.row.serverOf : undefined;
  return serverOf && byCookieOr(serverOf, operation.people === true);
}

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>;

function answering(operation: Operation, services: Services, streams: Streams): Handler {
  switch (operation.does) {
    case 'follow':
      return answerFollow(operation, services, streams);
    case 'download':
      return answerDownload(operation, services);
    case 'act':
      return answerAct(operation, services);
    case 'upload':
      return answerUpload(operation, services);
    default:
      return answerRecords(operation, services);
  }
}

function answerRecords(operation: ReadOperation | WriteOperation, services: Services): Handler {
  const isRead = operation.does === 'read';
  const list = isRead ? operation.list : undefined;
  const isRecord = isRead && !list;
  const confidential = !isRead && operation.row.confidential;
  return async (request, reply) => {
    const input = inputOf(request);
    const answer = await perform(services, operation, request.caller, input, { key: keyOf(request) });
    if (answer.nextQuery) addLink(reply, linkTo(request, answer.nextQuery));
    if (answer.data instanceof Joined) return sendJoined(reply, operation.answer, answer.data);
    const text = textOf(operation.answer, list, answer);
    if (isRecord && isKept(reply, text)) return notModified(reply);
    // The cached response does not contain expanded users.
    const cached = answer.expanded ? undefined : answer.cached;
    return send(reply, { isReplayed: answer.isReplayed, confidential, cached }, text);
  };
}
