import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

// The server may be served under a path, so each of its URLs starts with the base (`web/api/base.ts`).

const web = join(import.meta.dirname, '..', '..', 'web');
const folders = '{*,{api,features,may,replica,ui}/**/*}.{ts,tsx}';

/**
 * Matches code that uses a path at the root of the host as a URL: in an attribute, a request, a new window, or a
 * location.
 */
const atRoot =
  /\b(?:href|src|to|action|poster)=\{?["'`]\/(?!\/)|\b(?:fetch|open|openWindow|navigate|location\.assign|location\.replace|replaceState|pushState|register)\((?:[^()]*, )?["'`]\/(?!\/)|location\.origin(?:\}| \+ ['"`])\//;

test('the pattern finds URLs at the root of the host, and no others', () => {
  for (const line of [
    '<a href="/docs/">',
    '<img src={`/api/v1/pictures/one`} />',
    "await fetch('/healthz', {})",
    "request.open('POST', '/api/v1/attachments');",
    "history.replaceState(null, '', '/me')",
    '{location.origin}/api/v1',
    "location.origin + '/invite'",
  ])
    assert.ok(atRoot.test(line), line);
  for (const line of [
    '<a href={address}>',
    'await fetch(base + path)',
    "navigate('home')",
    'location.origin + pathOf(place)',
    "text.replace(/a/g, '/')",
    "open('//example.com/')",
  ])
    assert.ok(!atRoot.test(line), line);
});

test('no client source contains a URL on the server without its base', () => {
  const files = globSync(folders, { cwd: web }).filter((file) => !file.startsWith('dist'));
  assert.ok(files.length > 300, String(files.length));
  const found = files.flatMap((file) =>
    readFileSync(join(web, file), 'utf8')
      .split('\n')
      .flatMap((line, index) => (atRoot.test(line) ? [`${file}:${index + 1}: ${line.trim()}`] : [])),
  );
  assert.deepEqual(found, []);
});
