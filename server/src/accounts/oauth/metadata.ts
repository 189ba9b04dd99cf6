import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { notFound } from '../../errors.ts';
import {
  CODE_GRANT,
  DEVICE_GRANT,
  DEVICE_PATH,
  REFRESH_GRANT,
  RESOURCE_METADATA_PATH,
  REVOKE_PATH,
  SERVER_METADATA_PATH,
  TOKEN_PATH,
} from '../../http/openapi/oauthPaths.ts';
import { isId } from '../../lib/deps.ts';
import { scopes } from './resource.ts';

/**
 * Serves the authorization server metadata (RFC 8414), and the protected resource metadata (RFC 9728) of each
 * resource for which it issues tokens: this site, and the MCP endpoint of each server. The metadata is the
 * same whether or not a server exists, so it does not reveal which servers exist.
 */
export function mountMetadata(app: FastifyInstance): void {
  const { base } = app.site;
  const serve = (path: string, below: string, of: (address: string, request: FastifyRequest) => object) => {
    const answer = (request: FastifyRequest, reply: FastifyReply) =>
      // The metadata is public and is also read by clients in browsers.
      json(reply.header('access-control-allow-origin', '*'), of(app.site.addressOf(request), request));
    app.get(path + below, answer);
    // For an address with a path, clients insert the well-known path between host and path (RFC 8414, 3.1).
    if (base !== '') app.get(path + base + below, answer);
  };
  serve(SERVER_METADATA_PATH, '', authorizationServer);
  serve(RESOURCE_METADATA_PATH, '', (address) => resource(address, address));
  serve(RESOURCE_METADATA_PATH, '/mcp', (address) => resource(address, `${address}/mcp`));
  serve(RESOURCE_METADATA_PATH, '/mcp/:serverId', (address, { params }) => {
    const { serverId } = params as { serverId: string };
    if (!isId(serverId)) throw notFound('server');
    return resource(address, `${address}/mcp/${serverId}`);
  });
}

const authorizationServer = (issuer: string): object => ({
  issuer,
  authorization_endpoint: `${issuer}/authorize`,
  device_authorization_endpoint: issuer + DEVICE_PATH,
  token_endpoint: issuer + TOKEN_PATH,
  revocation_endpoint: issuer + REVOKE_PATH,
  scopes_supported: scopes,
  grant_types_supported: [CODE_GRANT, REFRESH_GRANT, DEVICE_GRANT],
  response_types_supported: ['code'],
  response_modes_supported: ['query'],
  code_challenge_methods_supported: ['S256'],
  token_endpoint_auth_methods_supported: ['none'],
  revocation_endpoint_auth_methods_supported: ['none'],
  authorization_response_iss_parameter_supported: true,
  client_id_metadata_document_supported: true,
});

const resource = (issuer: string, address: string): object => ({
  resource: address,
  resource_name: 'Palaver',
  authorization_servers: [issuer],
  scopes_supported: scopes,
  bearer_methods_supported: ['header'],
});

/** Responds with plain JSON, without the envelope of the API. */
export const json = (reply: FastifyReply, body: object): FastifyReply =>
  reply.header('content-type', 'application/json; charset=utf-8').send(JSON.stringify(body));
