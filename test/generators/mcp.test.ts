// @run sqlite: the protocol is the same on every engine
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { diagnostics } from '../support/mcpDiagnostics.ts';
import { Scene } from '../support/scene.ts';
import { type Json, World } from '../support/world.ts';

const folder = join(import.meta.dirname, 'node_modules', '@modelcontextprotocol', 'conformance');
const REVISION = '2026-07-28';

/** The scenarios that the revision requires of servers. */
const required = /^server:\n((?: {2}- .*\n)+)/m
  .exec(readFileSync(join(folder, 'requirements', `${REVISION}.yaml`), 'utf8'))?.[1]
  ?.match(/[\w-]{3,}/g);

/** Scenarios that only test features Palaver does not use. */
const otherFeatures =
  /^(?:completion-complete|tools-call-.*|resources-.*|prompts-.*|caching|server-stateless|input-required-result-(?!unsupported-methods|missing|ignore|validate).*)$/;
/** The requirements that the suite cannot test without its diagnostic tools and features. */
const needsDiagnostics = new Set([
  'sep-2575-server-rejects-undeclared-capability',
  'sep-2575-missing-capability-http-400',
  'sep-2575-http-server-no-independent-requests-on-stream',
  'sep-2575-server-no-log-without-loglevel',
  'sep-2549-prompts-list-caching-hints',
  'sep-2549-resources-list-caching-hints',
  'sep-2549-resources-templates-list-caching-hints',
]);

interface Check {
  scenario: string;
  id: string;
  status: string;
  errorMessage?: string;
}

/** Runs the official conformance suite against a server, and returns its checks. */
async function checked(mcp?: typeof diagnostics): Promise<Check[]> {
  const world = await World.open({ hosts: ['127.0.0.1', 'localhost'], ...(mcp && { mcp }) });
  const { admin } = await Scene.open(world);
  const { port } = new URL(world.url);
  // The suite sends no credentials.
  const proxy = createServer((request, response) => {
    const { method, url: path, headers } = request;
    const authorization = `Bearer ${admin.key}`;
    const sent = send({ host: '127.0.0.1', port, path, method, headers: { ...headers, authorization } });
    sent.on('response', (answer) => {
      response.writeHead(answer.statusCode as number, answer.headers);
      answer.pipe(response);
    });
    request.pipe(sent);
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const output = mkdtempSync(join(tmpdir(), 'palaver-conformance-'));
  try {
    const url = `http://localhost:${(proxy.address() as AddressInfo).port}/mcp`;
    const args = ['server', '--url', url, '--requirements', REVISION, '-o', output];
    const suite = spawn(process.execPath, [join(folder, 'dist', 'index.js'), ...args], { stdio: 'ignore' });
    await once(suite, 'close');
    return readdirSync(output).flatMap((name) => {
      const scenario = /^server-(.*?)-\d{4}-\d\d-\d\dT/.exec(name)?.[1] as string;
      const checks = JSON.parse(readFileSync(join(output, name, 'checks.json'), 'utf8'));
      return checks.map((check: Json) => ({ ...check, scenario }));
    });
  } finally {
    rmSync(output, { recursive: true, force: true });
    proxy.closeAllConnections();
    proxy.close();
    await world.close();
  }
}

const failuresIn = (checks: readonly Check[]): string[] =>
  checks
    .filter(({ status }) => status === 'FAILURE' || status === 'WARNING')
    .map(({ scenario, id, errorMessage }) => `${scenario}: ${id}: ${errorMessage}`);

test('the protocol passes every scenario that the conformance suite scores, with its diagnostic tools', async () => {
  const checks = await checked(diagnostics);
  const scored = checks.filter(({ scenario }) => required?.includes(scenario));
  assert.deepEqual(new Set(scored.map(({ scenario }) => scenario)), new Set(required));
  assert.deepEqual(failuresIn(scored), []);
  const headers = checks.filter(({ scenario }) => scenario === 'http-header-validation');
  assert.ok(headers.length >= 14);
  assert.deepEqual(failuresIn(headers), []);
});

test('the server passes every scenario for the features that it has', async () => {
  const checks = await checked();
  const about = (scenario: string) =>
    scenario === 'http-header-validation' || (required?.includes(scenario) && !otherFeatures.test(scenario));
  const own = checks.filter(
    ({ scenario, id }) =>
      about(scenario) || (['caching', 'server-stateless'].includes(scenario) && !needsDiagnostics.has(id)),
  );
  assert.ok(own.length > 50, String(own.length));
  const failures = own.filter(({ status }) => status === 'FAILURE');
  assert.deepEqual(failuresIn(failures), []);
});
