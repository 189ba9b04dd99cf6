import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Caller, present, unauthenticated } from '../../access/authenticator.ts';
import { isGrantToken } from '../../access/credentials/grant.ts';
import { ApiError } from '../../errors.ts';
import type { Kind } from '../../limits/table.ts';
import { authenticated, limited } from '../../operations/admission.ts';
import type { Operation } from '../../operations/perform.ts';
import { requireSecondFactor } from '../../operations/secondFactor.ts';
import type { Services } from '../../operations/services.ts';
import { hookOf, setLimitHeaders } from '../admit.ts';
import type { Observe } from '../observe/metrics.ts';
import { MCP_PATH, RESOURCE_METADATA_PATH } from '../openapi/oauthPaths.ts';
import { send } from '../request.ts';
import type { Streams } from '../streams/streams.ts';
import { callTool, isTool, listedTools } from './call.ts';
import {
  agreedVersion,
  codes,
  idOf,
  instructions,
  type Message,
  messageOf,
  RpcError,
  resultFor,
  serverInfo,
  versions,
} from './protocol.ts';
import type { Calling } from './tool.ts';

const PATHS = [MCP_PATH, `${MCP_PATH}/:serverId`] as const;

/**
 * Additional methods and tools for tests. They let a conformance suite cover parts of the protocol that
 * Palaver does not use.
 */
export interface McpExtension {
  capabilities: object;
  tools: readonly object[];
  /**
   * Returns the result of a request; undefined if it has none. May send the response itself instead. Throws
   * RpcError.
   */
  answer(message: Message, reply: FastifyReply): Promise<object | undefined>;
}

interface McpParts {
  services: Services;
  operations: ReadonlyMap<string, Operation>;
  streams: Streams;
  extension: McpExtension | undefined;
}

/**
 * Serves the Model Context Protocol on top of `perform`, without state. Both paths accept API keys and grants
 * (RFC 8707); `/mcp/<server id>` accepts only those of its server. The response to a request without
 * a valid token says where to get one (RFC 9728, 5.1).
 */
export function mountMcp(
  app: FastifyInstance,
  operations: readonly Operation[],
  { services, streams, observe, extension }: Omit<McpParts, 'operations'> & { observe: Observe },
): void {
  const byName = new Map(operations.map((operation) => [operation.operation, operation]));
  const parts = { services, operations: byName, streams, extension };
  for (const url of PATHS) {
    app.route({
      method: 'POST',
      url,
      onRequest: hookOf(async (request, reply) => {
        request.caller = await callerOf(services, request);
        request.server.inFlight.begin(request, reply);
        request.server.unread.requireRoom(request);
      }),
      onResponse: observe('POST', url),
      handler: (request, reply) => answer(parts, request, reply),
    });
    // There are no sessions, and no stream outside a request.
    app.route({
      method: ['GET', 'DELETE'],
      url,
      exposeHeadRoute: false,
      handler: (_request, reply) => {
        const error = { code: codes.invalidRequest, message: 'send a POST request with a JSON-RPC message' };
        return respond(reply.code(405).header('allow', 'POST'), { id: null, error });
      },
    });
  }
}

async function answer(parts: McpParts, request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
  const { body, headers } = request;
  const caller = request.caller as Caller;
  const calling = {
    services: parts.services,
    caller,
    closing: () => parts.streams.closing(reply.raw),
    count: (kind: Kind) => limited(parts.services, kind, caller, setLimitHeaders(reply)),
  };
  try {
    const message = messageOf(body, headers);
    if (message.method !== 'tools/call' || !isTool(message.params.name)) await calling.count('query');
    // A notification has no response.
    if (message.id === undefined) return reply.code(202).send();
    const result = await resultOf(parts, calling, message, reply);
    if (reply.sent) return reply;
    return respond(reply, { id: message.id, result: resultFor(message, result) });
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    const { code, message, status, data } = error;
    return respond(reply.code(status), { id: idOf(body), error: { code, message, ...(data && { data }) } });
  }
}

const respond = (reply: FastifyReply, message: object): unknown =>
  send(reply, {}, JSON.stringify({ jsonrpc: '2.0', ...message }));

/**
 * Authenticates an API key or a grant. Throws UNAUTHORIZED or INVALID_API_KEY, with the URL of the metadata.
 */
async function callerOf(services: Services, request: FastifyRequest): Promise<Caller> {
  const { serverId } = request.params as { serverId?: string };
  const token = /^bearer +(\S.*)$/i.exec(request.headers.authorization ?? '')?.[1];
  try {
    if (token === undefined)
      throw unauthenticated('UNAUTHORIZED', 'send an access token or an API key as a bearer token');
    const kind = isGrantToken(token) ? 'grant' : 'apiKey';
    const caller = await authenticated(services, request, () =>
      services.authenticator.authenticate(present(kind, token)),
    );
    if (serverId !== undefined && caller.principal.serverId !== serverId)
      throw unauthenticated('UNAUTHORIZED', 'this token is for another server');
    requireSecondFactor(services.secondFactor, caller);
    return caller;
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 401) throw error;
    const metadata = `${request.server.site.originOf(request)}${RESOURCE_METADATA_PATH}${request.server.site.base}/mcp${serverId === undefined ? '' : `/${serverId}`}`;
    const invalid = token === undefined ? '' : ', error="invalid_token"';
    throw new ApiError(error.code as 'UNAUTHORIZED', error.message, error.details as object, {
      ...error.headers,
      'www-authenticate': `Bearer resource_metadata="${metadata}", scope="read"${invalid}`,
    });
  }
}

async function resultOf(
  { operations, extension }: McpParts,
  calling: Calling,
  message: Message,
  reply: FastifyReply,
): Promise<object> {
  const { method, params, isStateless } = message;
  const capabilities = { tools: {}, ...extension?.capabilities };
  const further = await extension?.answer(message, reply);
  if (further !== undefined || reply.sent) return further ?? {};
  if (method === 'tools/list') return { tools: [...listedTools, ...(extension?.tools ?? [])] };
  if (method === 'tools/call') {
    const { name, arguments: args = {} } = params;
    if (!isTool(name)) throw new RpcError(codes.invalidParams, 'there is no such tool');
    if (typeof args !== 'object' || args === null || Array.isArray(args))
      throw new RpcError(codes.invalidParams, 'arguments must be an object');
    return callTool(calling, operations, name, args);
  }
  if (isStateless && method === 'server/discover')
    return { supportedVersions: versions, capabilities, instructions };
  if (!isStateless && method === 'ping') return {};
  if (!isStateless && method === 'initialize')
    return {
      protocolVersion: agreedVersion(params.protocolVersion),
      capabilities,
      serverInfo,
      instructions,
    };
  throw new RpcError(codes.methodNotFound, 'there is no such method', isStateless ? 404 : 200);
}
