import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../../errors.ts';
import { admitAnybody, hookOf } from '../../http/admit.ts';
import { requireUncoded } from '../../http/body.ts';
import type { Observe } from '../../http/observe/metrics.ts';
import {
  CODE_GRANT,
  DEVICE_GRANT,
  DEVICE_PATH,
  REFRESH_GRANT,
  REGISTER_PATH,
  REVOKE_PATH,
  TOKEN_PATH,
} from '../../http/openapi/oauthPaths.ts';
import { storedName } from '../../lib/names.ts';
import { networkOf } from '../../lib/network.ts';
import type { Services } from '../../operations/services.ts';
import { isLikeOwnName } from './clientNames.ts';
import { APPROVAL_MS, beginDevice, type Exchange, exchange, POLL_SECONDS } from './exchange.ts';
import { type GrantTokens, type Refreshing, refresh } from './grant.ts';
import { json, mountMetadata } from './metadata.ts';
import { OAuthError, type Parameters, parametersOf, required, shownName, textOf } from './parameters.ts';
import { revoke } from './revocation.ts';

const MAX_BODY_BYTES = 16 * 1024;
/**
 * Maximum token requests per address, as a multiple of the limit for `session` requests, because several apps
 * may poll from one address.
 */
const POLLING_APPS = 10;

const NO_REGISTRATION =
  'there is no dynamic registration. Use the https URL of a client ID metadata document as client_id (client_id_metadata_document_supported), or a name';

/**
 * Mounts the endpoints from which apps get a person's session or a grant, as specified by the standards that
 * libraries implement: OAuth 2.0 for native apps (RFC 8252) with PKCE (RFC 7636), for devices (RFC 8628),
 * revocation (RFC 7009), and the metadata for all of these (RFC 8414). Apps are public clients without
 * registration; `client_id` is the URL of a metadata document, or only a display name.
 */
export function mountOAuth(app: FastifyInstance, services: Services, observe: Observe): void {
  mountMetadata(app);
  app.register(async (scope) => {
    acceptForms(scope);
    scope.setErrorHandler((error: FastifyError, _request, reply) => refuse(error, reply));
    const post = (
      url: string,
      admission: (request: FastifyRequest, reply: FastifyReply) => void | Promise<void>,
      answer: (parameters: Parameters, request: FastifyRequest) => Promise<object>,
    ) =>
      scope.route({
        method: 'POST',
        url,
        onRequest: hookOf(admission),
        onResponse: observe('POST', url),
        handler: async (request, reply) =>
          json(reply, await answer((request.body as Parameters | undefined) ?? new Map(), request)),
      });

    post(
      DEVICE_PATH,
      (request, reply) => {
        // Otherwise, any web page could use up the limit of pending requests for its visitors' addresses.
        app.site.requireOwnPage(request);
        return admitAnybody(services, 'session', request, reply);
      },
      (parameters, request) => startDevice(services, parameters, request),
    );

    post(
      TOKEN_PATH,
      (request) => requireFew(services, networkOf(request.ip)),
      (parameters, request) => issueTokens(services, parameters, request),
    );

    post(
      REGISTER_PATH,
      (request) => requireFew(services, networkOf(request.ip)),
      async () => {
        throw new OAuthError('invalid_client_metadata', NO_REGISTRATION);
      },
    );

    post(
      REVOKE_PATH,
      (request) => requireFew(services, networkOf(request.ip)),
      async (parameters, request) => {
        await revoke(services, required(parameters, 'token'), networkOf(request.ip));
        return {};
      },
    );
  });
}

/** Parses bodies as forms, and rejects all other types. */
function acceptForms(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'buffer', bodyLimit: MAX_BODY_BYTES },
    async (request: FastifyRequest, bytes: Buffer) => {
      requireUncoded(request, bytes);
      return parametersOf(bytes);
    },
  );
}

/** Starts the authorization of a device (RFC 8628, 3.2). */
async function startDevice(
  services: Services,
  parameters: Parameters,
  request: FastifyRequest,
): Promise<object> {
  const client = shownName('client_id', required(parameters, 'client_id'));
  if (isLikeOwnName(client))
    throw new OAuthError('invalid_request', 'client_id looks like the name of Palaver itself');
  const named = textOf(parameters, 'device_name');
  const device = named === undefined ? null : shownName('device_name', named);
  const begun = await beginDevice(services, { client, device, address: networkOf(request.ip) });
  if (!begun)
    throw new OAuthError('slow_down', 'too many apps are waiting for approval. Try again later', 429);
  const page = `${request.server.site.addressOf(request)}/device`;
  return {
    device_code: begun.deviceCode,
    user_code: begun.userCode,
    verification_uri: page,
    // The code is in the fragment, which browsers never send to a server.
    verification_uri_complete: `${page}#${begun.userCode}`,
    expires_in: APPROVAL_MS / 1000,
    interval: POLL_SECONDS,
  };
}

/** Exchanges a code or refresh token for tokens. */
async function issueTokens(
  services: Services,
  parameters: Parameters,
  request: FastifyRequest,
): Promise<object> {
  const asked = askedOf(parameters);
  const granted =
    'refreshToken' in asked
      ? await refresh(services, asked, networkOf(request.ip))
      : await exchange(services, asked);
  if (typeof granted === 'string') throw new OAuthError(granted, words[granted] ?? granted);
  return tokensOf(granted);
}

function tokensOf(granted: { token: string } | GrantTokens): object {
  const token = { access_token: granted.token, token_type: 'Bearer' };
  // A session has no `expires_in`, because its lifetime is extended while it is used.
  if (!('refreshToken' in granted)) return token;
  const { refreshToken, expiresIn, scope } = granted;
  return { ...token, expires_in: expiresIn, refresh_token: refreshToken, scope };
}

function askedOf(parameters: Parameters): Exchange | Refreshing {
  const client = storedName(required(parameters, 'client_id'));
  const resource = textOf(parameters, 'resource');
  switch (required(parameters, 'grant_type')) {
    case DEVICE_GRANT:
      return { by: 'device', client, code: required(parameters, 'device_code') };
    case CODE_GRANT:
      return {
        by: 'redirect',
        client,
        code: required(parameters, 'code'),
        redirectUri: required(parameters, 'redirect_uri'),
        codeVerifier: required(parameters, 'code_verifier'),
        resource,
      };
    case REFRESH_GRANT:
      return {
        client,
        refreshToken: required(parameters, 'refresh_token'),
        resource,
        scope: textOf(parameters, 'scope'),
      };
    default:
      throw new OAuthError(
        'unsupported_grant_type',
        `grant_type must be ${CODE_GRANT}, ${REFRESH_GRANT} or ${DEVICE_GRANT}`,
      );
  }
}

/** `error_description` by error code. */
const words: Readonly<Record<string, string>> = {
  authorization_pending: 'the person has not decided yet. Poll again after the interval',
  slow_down: 'polling too fast. Add five seconds to the interval',
  access_denied: 'the person denied the request',
  expired_token: 'the code has expired. Start again',
  invalid_scope: 'the grant does not have this scope',
  invalid_target: 'the grant is for another resource',
  invalid_grant:
    'the code or refresh token is unknown, used, expired, or does not match the rest of the request',
};

async function requireFew({ limiter, limits }: Services, address: string): Promise<void> {
  if (limits.session === 0) return;
  const verdict = await limiter.take(`token ${address}`, limits.session * POLLING_APPS);
  if (!verdict.accepted) throw new OAuthError('slow_down', 'too many requests from this address', 429);
}

/** Responds with an error as defined in RFC 6749, 5.2. Rethrows errors that are not the client's fault. */
function refuse(error: FastifyError | ApiError | OAuthError, reply: FastifyReply): FastifyReply {
  const status =
    error instanceof OAuthError || error instanceof ApiError ? error.status : (error.statusCode ?? 500);
  if (status >= 500) throw error;
  const name = error instanceof OAuthError ? error.error : status === 429 ? 'slow_down' : 'invalid_request';
  const headers = error instanceof ApiError ? error.headers : {};
  reply.code(status === 429 ? 429 : 400).headers(headers);
  return json(reply, { error: name, error_description: error.message });
}
