// @run sqlite: tests code that runs before any data is read
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { assertRefused } from '../support/expect.ts';
import { World } from '../support/world.ts';

/** Every route under /api/people. */
const reachable = [
  'DELETE /api/people/blocks/:id',
  'DELETE /api/people/email',
  'DELETE /api/people/exports/:id',
  'DELETE /api/people/grants',
  'DELETE /api/people/grants/:id',
  'DELETE /api/people/identities/:id',
  'DELETE /api/people/invitations/:id',
  'DELETE /api/people/passkeys/:id',
  'DELETE /api/people/password',
  'DELETE /api/people/platform/imports/:id',
  'DELETE /api/people/push-subscriptions/:id',
  'DELETE /api/people/saved/:id',
  'DELETE /api/people/scheduled-messages/:id',
  'DELETE /api/people/second-factor',
  'DELETE /api/people/sessions',
  'DELETE /api/people/sessions/:id',
  'GET /api/people/blocks',
  'GET /api/people/channels/:id/call',
  'GET /api/people/channels/:id/view',
  'GET /api/people/entrance',
  'GET /api/people/events',
  'GET /api/people/export',
  'GET /api/people/exports',
  'GET /api/people/exports/:id',
  'GET /api/people/exports/:id/content',
  'GET /api/people/grants',
  'GET /api/people/history',
  'GET /api/people/identities',
  'GET /api/people/invitations',
  'GET /api/people/me',
  'GET /api/people/messages/:id/edits',
  'GET /api/people/passkeys',
  'GET /api/people/platform/apps',
  'GET /api/people/platform/audit',
  'GET /api/people/platform/health',
  'GET /api/people/platform/holds',
  'GET /api/people/platform/holds/:id/files/:id/content',
  'GET /api/people/platform/holds/:id/messages',
  'GET /api/people/platform/imports',
  'GET /api/people/platform/imports/:id',
  'GET /api/people/platform/servers',
  'GET /api/people/platform/servers/:id/channels',
  'GET /api/people/platform/settings',
  'GET /api/people/platform/start-settings',
  'GET /api/people/platform/users',
  'GET /api/people/platform/users/:id',
  'GET /api/people/presence',
  'GET /api/people/presence/me',
  'GET /api/people/providers',
  'GET /api/people/push-subscriptions',
  'GET /api/people/reading',
  'GET /api/people/registry/apps',
  'GET /api/people/saved',
  'GET /api/people/scheduled-messages',
  'GET /api/people/servers',
  'GET /api/people/servers/:id/invitations',
  'GET /api/people/servers/:id/key-usage',
  'GET /api/people/servers/:id/snapshot',
  'GET /api/people/sessions',
  'GET /api/people/threads/:id/following',
  'GET /api/people/threads/:id/view',
  'HEAD /api/people/blocks',
  'HEAD /api/people/channels/:id/call',
  'HEAD /api/people/channels/:id/view',
  'HEAD /api/people/entrance',
  'HEAD /api/people/export',
  'HEAD /api/people/exports',
  'HEAD /api/people/exports/:id',
  'HEAD /api/people/exports/:id/content',
  'HEAD /api/people/grants',
  'HEAD /api/people/history',
  'HEAD /api/people/identities',
  'HEAD /api/people/invitations',
  'HEAD /api/people/me',
  'HEAD /api/people/messages/:id/edits',
  'HEAD /api/people/passkeys',
  'HEAD /api/people/platform/apps',
  'HEAD /api/people/platform/audit',
  'HEAD /api/people/platform/health',
  'HEAD /api/people/platform/holds',
  'HEAD /api/people/platform/holds/:id/files/:id/content',
  'HEAD /api/people/platform/holds/:id/messages',
  'HEAD /api/people/platform/imports',
  'HEAD /api/people/platform/imports/:id',
  'HEAD /api/people/platform/servers',
  'HEAD /api/people/platform/servers/:id/channels',
  'HEAD /api/people/platform/settings',
  'HEAD /api/people/platform/start-settings',
  'HEAD /api/people/platform/users',
  'HEAD /api/people/platform/users/:id',
  'HEAD /api/people/presence',
  'HEAD /api/people/presence/me',
  'HEAD /api/people/providers',
  'HEAD /api/people/push-subscriptions',
  'HEAD /api/people/reading',
  'HEAD /api/people/registry/apps',
  'HEAD /api/people/saved',
  'HEAD /api/people/scheduled-messages',
  'HEAD /api/people/servers',
  'HEAD /api/people/servers/:id/invitations',
  'HEAD /api/people/servers/:id/key-usage',
  'HEAD /api/people/servers/:id/snapshot',
  'HEAD /api/people/sessions',
  'HEAD /api/people/threads/:id/following',
  'HEAD /api/people/threads/:id/view',
  'PATCH /api/people/me',
  'PATCH /api/people/passkeys/:id',
  'PATCH /api/people/platform/settings/:id',
  'PATCH /api/people/platform/users/:id',
  'PATCH /api/people/presence/me',
  'PATCH /api/people/reading/channel',
  'PATCH /api/people/reading/level',
  'PATCH /api/people/scheduled-messages/:id',
  'PATCH /api/people/threads/:id/following',
  'POST /api/people/approvals',
  'POST /api/people/approvals/client',
  'POST /api/people/approvals/deny',
  'POST /api/people/approvals/look',
  'POST /api/people/approvals/redirect',
  'POST /api/people/blocks',
  'POST /api/people/close',
  'POST /api/people/drafts',
  'POST /api/people/email',
  'POST /api/people/email/verify',
  'POST /api/people/events/tickets',
  'POST /api/people/exports',
  'POST /api/people/identities',
  'POST /api/people/invitations',
  'POST /api/people/invitations/:id/accept',
  'POST /api/people/invitations/:id/decline',
  'POST /api/people/invites/look',
  'POST /api/people/links/claim',
  'POST /api/people/links/look',
  'POST /api/people/links/merge',
  'POST /api/people/notifications/clear',
  'POST /api/people/notifications/read',
  'POST /api/people/passkeys',
  'POST /api/people/passkeys/options',
  'POST /api/people/password',
  'POST /api/people/password/reset',
  'POST /api/people/platform/apps/:id/unverify',
  'POST /api/people/platform/apps/:id/verify',
  'POST /api/people/platform/holds',
  'POST /api/people/platform/holds/:id/end',
  'POST /api/people/platform/imports',
  'POST /api/people/platform/imports/:id/parts/:id',
  'POST /api/people/platform/imports/:id/start',
  'POST /api/people/platform/servers/:id/delete',
  'POST /api/people/platform/users/:id/lift',
  'POST /api/people/platform/users/:id/link',
  'POST /api/people/platform/users/:id/sign-out',
  'POST /api/people/platform/users/:id/suspend',
  'POST /api/people/platform/users/links',
  'POST /api/people/proof',
  'POST /api/people/proof/options',
  'POST /api/people/providers/:id/callback',
  'POST /api/people/providers/:id/connect',
  'POST /api/people/providers/:id/start',
  'POST /api/people/providers/finish',
  'POST /api/people/push-subscriptions',
  'POST /api/people/reading/all',
  'POST /api/people/reading/marks',
  'POST /api/people/reading/unread',
  'POST /api/people/recovery-codes',
  'POST /api/people/saved',
  'POST /api/people/scheduled-messages',
  'POST /api/people/scheduled-messages/:id/send',
  'POST /api/people/second-factor',
  'POST /api/people/second-factor/confirm',
  'POST /api/people/servers',
  'POST /api/people/servers/:id/delete',
  'POST /api/people/servers/:id/hand-over',
  'POST /api/people/servers/:id/leave',
  'POST /api/people/sign-in',
  'POST /api/people/sign-in/options',
  'POST /api/people/sign-in/passkey',
  'POST /api/people/sign-out',
  'POST /api/people/sign-up',
];

/** Routes that auth libraries usually serve. */
const hidden = [
  'GET /account-info',
  'GET /callback/:id',
  'GET /delete-user/callback',
  'GET /error',
  'GET /get-session',
  'GET /list-accounts',
  'GET /list-sessions',
  'GET /ok',
  'GET /reset-password/:token',
  'GET /verify-email',
  'POST /callback/:id',
  'POST /change-email',
  'POST /change-password',
  'POST /delete-user',
  'POST /get-access-token',
  'POST /get-session',
  'POST /is-username-available',
  'POST /link-social',
  'POST /refresh-token',
  'POST /request-password-reset',
  'POST /reset-password',
  'POST /revoke-other-sessions',
  'POST /revoke-session',
  'POST /revoke-sessions',
  'POST /send-verification-email',
  'POST /sign-in/email',
  'POST /sign-in/social',
  'POST /sign-in/username',
  'POST /sign-out',
  'POST /sign-up/email',
  'POST /unlink-account',
  'POST /update-session',
  'POST /update-user',
  'POST /verify-password',
];

/** All reachable routes other than the API, pages, files and probes: only OAuth for apps. */
const oauth = [
  'GET /.well-known/oauth-authorization-server',
  'GET /.well-known/oauth-protected-resource',
  'GET /.well-known/oauth-protected-resource/mcp',
  'GET /.well-known/oauth-protected-resource/mcp/:id',
  'HEAD /.well-known/oauth-authorization-server',
  'HEAD /.well-known/oauth-protected-resource',
  'HEAD /.well-known/oauth-protected-resource/mcp',
  'HEAD /.well-known/oauth-protected-resource/mcp/:id',
  'POST /oauth/device_authorization',
  'POST /oauth/register',
  'POST /oauth/revoke',
  'POST /oauth/token',
];

let world: World;
before(async () => {
  world = await World.open({ limits: { '*': 0 } });
});
after(() => world.close());

/** The routes of a server as Fastify prints them, each parameter as `:id`. */
function routesOf({ app }: World): string[] {
  const routes: string[] = [];
  const path: string[] = [];
  for (const line of app.printRoutes({ commonPrefix: false }).split('\n')) {
    const [, indent, rest] = /^((?:│ {3}| {4})*)(?:├── |└── )(.*)$/.exec(line) ?? [];
    if (indent === undefined || rest === undefined) continue;
    const [, part = '', methods] = /^(.*?)(?: \(([A-Z, ]+)\))?$/.exec(rest) ?? [];
    path.length = indent.length / 4;
    path.push(part);
    for (const method of methods?.split(', ') ?? [])
      routes.push(`${method} ${path.join('').replace(/:\w+(\|:\w+)*/g, ':id')}`);
  }
  return routes;
}

test('the routes under /api/people are exactly those listed here', async () => {
  const routes = routesOf(world);
  assert.ok(routes.includes('POST /api/v1/messages'), "Fastify's output was parsed");
  assert.deepEqual(routes.filter((route) => route.includes('/people')).sort(), reachable);
  assert.deepEqual(routes.filter((route) => /oauth/.test(route)).sort(), oauth);
  for (const route of hidden) {
    const [method = '', path = ''] = route.split(' ');
    for (const prefix of ['/api/auth', '/api/people', '/api/v1/none', '/api/v1', '/auth', '/none', '']) {
      const asked = `${method} ${prefix}${path}`;
      // Palaver itself has this route.
      if (reachable.includes(asked)) continue;
      const answer = await world.request(method, `${world.url}${prefix}${path.replace(':', 'a-')}`, {
        headers: { 'palaver-server': 'none', 'content-type': 'application/json' },
        ...(method === 'POST' && { body: {} }),
      });
      assertRefused(answer, prefix.startsWith('/api/v1') ? 'UNAUTHORIZED' : 'NOT_FOUND', asked);
    }
  }
});
