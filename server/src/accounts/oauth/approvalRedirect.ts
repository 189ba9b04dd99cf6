import { digestOf } from '../../access/credentials/token.ts';
import type { RowOf } from '../../db/schema.ts';
import { insert, q } from '../../db/statements.ts';
import { ApiError, invalid, notFound } from '../../errors.ts';
import { isId } from '../../lib/deps.ts';
import { type Flag, flagNames } from '../../lib/flags.ts';
import { nameProblem, storedName } from '../../lib/names.ts';
import { Type } from '../../lib/schema.ts';
import { type ActCall, act } from '../../operations/act.ts';
import type { WriteCall } from '../../operations/call.ts';
import {
  body,
  flag,
  MAX_NAME_CHARACTERS,
  named,
  nullable,
  oneOf,
  optional,
  reference,
  text,
  time,
} from '../../operations/fields.ts';
import { isClientUrl, MAX_CLIENT_CHARACTERS, MAX_REDIRECT_CHARACTERS } from './clientDocument.ts';
import { isLikeOwnName, requireDistinct, requireDistinctGrant } from './clientNames.ts';
import { ofSession } from './exchange.ts';
import { requireListed, requireLoopback } from './redirects.ts';
import { isResourceOf, resourceOf } from './resource.ts';
import { newCode } from './userCodes.ts';

/** Lifetime of an authorization code. */
const REDIRECT_MS = 2 * 60_000;
/** Maximum unexchanged authorization codes per person. */
const MAX_CODES = 20;

const S256 = /^[A-Za-z0-9_-]{43}$/;

const client = text({
  min: 1,
  max: MAX_CLIENT_CHARACTERS,
  description: 'The `client_id` of the authorization request: the URL of a metadata document, or a name',
  examples: ['Palaver for Linux'],
});
const redirectUri = text({
  max: MAX_REDIRECT_CHARACTERS,
  description:
    'The `redirect_uri` of the authorization request: a loopback address, or one that the metadata document lists',
  examples: ['http://127.0.0.1:51004/done'],
});

const shownClient = Type.Object(
  {
    client,
    name: text({
      max: MAX_NAME_CHARACTERS,
      description: "The client's name, which is not verified",
      examples: ['Palaver for Linux'],
    }),
    host: nullable(
      text({
        max: MAX_CLIENT_CHARACTERS,
        description: "The host of the client's metadata document",
        examples: ['app.example.com'],
      }),
    ),
    isLocal: flag(
      "Whether the redirect URI is a loopback address, so that the code goes to an app on the browser's machine",
      true,
    ),
  },
  { $id: 'ApprovalClient', title: 'ApprovalClient' },
);

interface Asked {
  client: string;
  redirectUri: string;
}

/**
 * Returns the client with this `client_id`. Throws INVALID_REQUEST if its name or metadata document is not
 * valid, or if it may not use the redirect URI.
 */
async function clientOf({ services, db, principal }: ActCall, { client, redirectUri }: Asked) {
  const { userId } = principal;
  if (isClientUrl(client)) {
    const { name, host, redirectUris } = await services.clientDocuments.of(client);
    requireListed(redirectUri, redirectUris);
    await requireDistinctGrant(db, userId, { client, name }, 'client');
    return { client, name, host };
  }
  const name = storedName(client);
  const problem = nameProblem(name, MAX_NAME_CHARACTERS);
  if (problem) throw invalid(problem.reason, 'client', problem.message);
  if (isLikeOwnName(name)) throw invalid('reserved', 'client', 'looks like the name of Palaver itself');
  requireLoopback(redirectUri);
  await requireDistinct(db, userId, name, 'client');
  await requireDistinctGrant(db, userId, { client: name, name }, 'client');
  return { client: name, name, host: null };
}

/** Throws RATE_LIMITED if the person has too many unexchanged authorization codes. */
async function requireFewCodes({ db, now }: WriteCall, userId: string): Promise<void> {
  const last = q
    .selectFrom('approval')
    .select('id')
    .where('userId', '=', userId)
    .where('status', '!=', 'used')
    .where('expiresAt', '>', now)
    .limit(1)
    .offset(MAX_CODES - 1);
  if (!(await db.first(last))) return;
  const message = 'too many apps are waiting for approval. Try again in a minute';
  throw new ApiError('RATE_LIMITED', message, undefined, { 'retry-after': '60' });
}

/**
 * Throws NOT_FOUND unless the person is a member of the server, and INVALID_REQUEST if they lack one of the
 * flags in it.
 */
async function requireHeld(call: WriteCall, serverId: string, flags: readonly Flag[]): Promise<void> {
  const { services, db, caller } = call;
  if (!caller || !isId(serverId)) throw notFound('server');
  const { principal } = await services.authenticator.withinServer(db, caller, serverId);
  if (principal.serverId === null) throw notFound('server');
  const lacking = flags.filter((name) => !principal.flags.has(name));
  if (lacking.length > 0)
    throw invalid(
      'unknown_value',
      'flags',
      `must be flags that you have. You lack ${lacking.join(', ')} in this server`,
    );
}

export const redirectOperations = [
  act({
    operation: 'approvalClient',
    people: true,
    path: '/approvals/client',
    resource: 'session',
    verb: 'insert',
    summary: 'Look up the client of an authorization request',
    description:
      "The page `/authorize` calls this before it shows the client or redirects to it. If `client` is a URL, this server loads the client's metadata document. The client's name is not verified.",
    body: body({ client, redirectUri }),
    answer: shownClient,
    async run(call, { body }) {
      const { client, name, host } = await clientOf(call, body);
      const isLocal = new URL(body.redirectUri).protocol === 'http:';
      return { data: { client, name, host, isLocal } };
    },
  }),

  act({
    operation: 'approvalRedirect',
    people: true,
    path: '/approvals/redirect',
    resource: 'session',
    verb: 'insert',
    summary: 'Approve an authorization request',
    description:
      'The page `/authorize` calls this when the person approves the app. Redirect the browser to `redirectTo`, which contains an authorization code that is valid for two minutes. With `serverId`, the app gets a grant that is limited to that server and the given flags. Without `serverId`, the app gets a session.',
    body: body({
      client,
      device: optional(
        named(
          text({
            max: MAX_NAME_CHARACTERS,
            description: 'The device name that the app provides',
            examples: ["Ada's laptop"],
          }),
        ),
      ),
      redirectUri,
      codeChallenge: text({
        max: 100,
        description: 'The `code_challenge` of the authorization request',
        examples: ['E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'],
      }),
      codeChallengeMethod: oneOf(['S256'], 'The `code_challenge_method` of the authorization request'),
      state: optional(
        text({
          max: 500,
          description: 'The `state` of the authorization request, unchanged',
          examples: ['af0ifjsldkj'],
        }),
      ),
      serverId: optional(
        reference('The server to which the grant is limited. Without it, the app gets a session'),
      ),
      flags: optional(
        Type.Array(oneOf(flagNames), {
          maxItems: flagNames.length,
          uniqueItems: true,
          description:
            'The flags to grant. You can only grant flags that you have. Without flags, the app can only read',
          examples: [['canEditData']],
        }),
      ),
      resource: optional(
        text({
          max: MAX_REDIRECT_CHARACTERS,
          description:
            "The `resource` of the authorization request: the server's MCP URL, or the address of this site",
          examples: ['https://chat.example.com/mcp/0193a5f0-7b1c-7d2e-8f3a-4b5c6d7e8f90'],
        }),
      ),
    }),
    answer: Type.Object(
      {
        redirectTo: text({
          max: 2000,
          examples: ['http://127.0.0.1:51004/done?code=…&state=af0ifjsldkj&iss=…'],
        }),
        expiresAt: time('When the code expires'),
      },
      { $id: 'ApprovedRedirect', title: 'ApprovedRedirect' },
    ),
    proven: true,
    check({ body: { client, codeChallenge, serverId, flags, resource } }) {
      if (!S256.test(codeChallenge))
        throw invalid('wrong_form', 'codeChallenge', 'must be a SHA-256 in base64url');
      if (serverId !== undefined) return;
      if (isClientUrl(client))
        throw invalid('missing', 'serverId', 'is required for an app with a metadata document');
      for (const [field, value] of Object.entries({ flags, resource }))
        if (value !== undefined) throw invalid('not_together', field, 'belongs to a grant. Add serverId');
    },
    async run(call, { body }) {
      const { userId } = call.principal;
      const { serverId, flags = [], redirectUri } = body;
      const { client, name } = await clientOf(call, body);
      if (serverId !== undefined && body.resource && !isResourceOf(body.resource, call.siteAddress, serverId))
        throw invalid('mismatch', 'resource', 'is not the resource of this server');
      const { code, expiresAt } = await call.writeOnAccount(userId, async (work) => {
        const { db, now, newRow, randomBytes } = work;
        await requireFewCodes(work, userId);
        if (serverId !== undefined) await requireHeld(work, serverId, flags);
        const code = newCode(randomBytes);
        const ofGrant = serverId !== undefined && {
          serverId,
          clientName: name,
          flags: flagNames.filter((each) => flags.includes(each)),
          resource: body.resource || resourceOf(call.siteAddress, serverId),
        };
        const row: RowOf<'approval'> = {
          ...newRow(),
          ...ofSession,
          ...ofGrant,
          digest: digestOf(code),
          userCodeDigest: null,
          client,
          device: body.device ?? null,
          address: call.address,
          status: 'approved',
          userId,
          redirectUri,
          codeChallenge: body.codeChallenge,
          expiresAt: now + REDIRECT_MS,
          sessionId: null,
        };
        await db.run(insert('approval', row));
        return { code, expiresAt: row.expiresAt };
      });
      const redirectTo = new URL(redirectUri);
      redirectTo.searchParams.set('code', code);
      if (body.state !== undefined) redirectTo.searchParams.set('state', body.state);
      redirectTo.searchParams.set('iss', call.siteAddress);
      return { data: { redirectTo: redirectTo.href, expiresAt } };
    },
  }),
];
