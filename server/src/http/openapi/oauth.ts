import { headersOf, refTo } from './answers.ts';
import { DEVICE_GRANT, DEVICE_PATH, REFRESH_GRANT, REVOKE_PATH, TOKEN_PATH } from './oauthPaths.ts';

const text = (description: string, example?: string) => ({
  type: 'string',
  description,
  ...(example !== undefined && { examples: [example] }),
});

const client = text(
  'The name of the app, as shown to the person, or the URL of its metadata document',
  'Palaver for Linux',
);

const failure = {
  type: 'object',
  required: ['error'],
  properties: {
    error: text('The OAuth error code, such as `authorization_pending`', 'authorization_pending'),
    error_description: text('A human-readable description'),
  },
};

const failed = {
  description: 'Refused, or not approved yet (RFC 6749, 5.2; RFC 8628, 3.5)',
  headers: headersOf(['X-Request-Id']),
  content: { 'application/json': { schema: failure, example: { error: 'authorization_pending' } } },
};

interface Endpoint {
  id: string;
  summary: string;
  description: string;
  required: readonly string[];
  fields: Readonly<Record<string, object>>;
  example: object;
  answer: object;
  answered: object;
}

const describe = ({ id, summary, description, required, fields, example, answer, answered }: Endpoint) => ({
  post: {
    operationId: id,
    tags: ['session'],
    summary,
    description: `${description}

Follows OAuth 2.0, so OAuth libraries work: neither the request nor the response uses the envelope.

**Permission:** anyone.`,
    security: [],
    requestBody: {
      required: true,
      content: {
        'application/x-www-form-urlencoded': {
          schema: { type: 'object', required, properties: fields },
          example,
        },
      },
    },
    responses: {
      200: {
        description: 'Done',
        headers: headersOf(['X-Request-Id']),
        content: { 'application/json': { schema: answer, example: answered } },
      },
      400: failed,
      429: { ...failed, description: 'Too many requests, or too many apps waiting for approval' },
      500: refTo('responses', 'InternalError'),
      503: refTo('responses', 'Unavailable'),
    },
  },
});

const begun = {
  device_code: 'code_plv_…',
  user_code: 'BCDF-GHJK',
  verification_uri: 'https://chat.example.com/device',
  verification_uri_complete: 'https://chat.example.com/device#BCDF-GHJK',
  expires_in: 600,
  interval: 5,
};
const granted = { access_token: 'access_plv_…', token_type: 'Bearer' };

const schemaOf = (example: object) => ({
  type: 'object',
  required: Object.keys(example),
  properties: Object.fromEntries(
    Object.entries(example).map(([name, value]) => [
      name,
      typeof value === 'number'
        ? { type: 'integer', minimum: 0, maximum: 86_400, description: 'Seconds' }
        : { type: 'string' },
    ]),
  ),
});

/** The OAuth endpoints for apps, as paths in the document. */
export const oauthPaths: Record<string, object> = {
  [DEVICE_PATH]: describe({
    id: 'oauthDevice',
    summary: 'Start a sign-in with a device code',
    description: 'Implements RFC 8628. The person enters the user code on a device where they are signed in.',
    required: ['client_id'],
    fields: {
      client_id: client,
      device_name: text('The name of the device, as shown to the person', 'A television'),
    },
    example: { client_id: 'Palaver for Linux', device_name: 'A television' },
    answer: schemaOf(begun),
    answered: begun,
  }),
  [TOKEN_PATH]: describe({
    id: 'oauthToken',
    summary: 'Exchange a code or a refresh token for tokens',
    description:
      'Takes an authorization code with its verifier (RFC 6749, 4.1.3; RFC 7636), a device code, or a refresh token. With a device code, poll until the person has decided. Send the access token as `Authorization: Bearer`, with the header `Palaver-Server`. The token of a grant needs no such header; its response also has `expires_in`, `refresh_token` and `scope`. A refresh token works once.',
    required: ['grant_type', 'client_id'],
    fields: {
      grant_type: { type: 'string', enum: ['authorization_code', REFRESH_GRANT, DEVICE_GRANT] },
      client_id: client,
      device_code: text('The device code'),
      code: text('The authorization code'),
      redirect_uri: text('The `redirect_uri` of the authorization request, unchanged'),
      code_verifier: text('The `code_verifier` for the `code_challenge` of the authorization request'),
      refresh_token: text('The refresh token'),
      resource: text('The `resource` of the authorization request, unchanged; only for grants'),
      scope: text(
        'The scope of the new access token, which cannot exceed the granted scope; only with a refresh token',
      ),
    },
    example: { grant_type: DEVICE_GRANT, client_id: 'Palaver for Linux', device_code: 'code_plv_…' },
    answer: schemaOf(granted),
    answered: granted,
  }),
  [REVOKE_PATH]: describe({
    id: 'oauthRevoke',
    summary: 'Revoke a token',
    description:
      "Implements RFC 7009. Revokes the token's session or grant. The response is the same if the token is unknown or was already revoked.",
    required: ['token'],
    fields: {
      token: text('The token of the app'),
      token_type_hint: text('Ignored', 'access_token'),
      client_id: client,
    },
    example: { token: 'access_plv_…' },
    answer: { type: 'object' },
    answered: {},
  }),
};
