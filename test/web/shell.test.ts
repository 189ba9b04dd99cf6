import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isShell } from '../../web/shell.ts';

test('the service worker caches the shell for client URLs without secrets', () => {
  for (const path of [
    '/',
    '/s/server_1',
    '/s/server_1/c/channel_1',
    '/s/server_1/c/channel_1/m/message_1',
    '/s/server_1/settings',
    '/s/server_1/settings/roles',
    '/direct',
    '/later',
    '/later/saved',
    '/me',
    '/me/sessions',
    '/platform/users',
    '/sign-in',
    '/sign-up',
    '/invite/invite_1',
    '/device',
  ])
    assert.ok(isShell(path), path);
  for (const path of [
    '/welcome',
    '/reset',
    '/authorize',
    '/sign-in/google',
    '/docs/',
    '/openapi.json',
    '/api/v1/servers',
    '/web/main.js',
    '/s',
    '/s/server_1/nothing',
    '/metrics',
  ])
    assert.ok(!isShell(path), path);
});
