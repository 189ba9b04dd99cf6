import assert from 'node:assert/strict';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Browser } from './account.ts';
import { granted } from './grants.ts';
import type { Scene } from './scene.ts';
import type { Answer, Json, World } from './world.ts';

const META = 'io.modelcontextprotocol/';

/** The token for an app to which the owner of the scene granted flags. */
export const grantOf = async ({ world, owner, server }: Scene, flags: readonly string[]): Promise<string> =>
  (await granted(world, await Browser.of(world, owner), server.id, { flags })).token;

/** The official client, connected with a token. */
export async function connect(
  scene: Scene,
  token: string,
  path = `/mcp/${scene.server.id}`,
): Promise<Client> {
  const client = new Client({ name: 'test', version: '1.0.0' });
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(scene.world.url + path), { requestInit }));
  return client;
}

/** The official client, connected through a program that bridges to the server. */
export async function connectThrough(
  command: string,
  args: string[],
  env: Record<string, string>,
): Promise<Client> {
  const client = new Client({ name: 'test', version: '1.0.0' });
  await client.connect(new StdioClientTransport({ command, args, env, stderr: 'ignore' }));
  return client;
}

/** The structured result of a tool, and its text. */
export async function called(
  client: Client,
  name: string,
  args: Json = {},
): Promise<{ data: Json; text: string }> {
  const { content, structuredContent, isError } = (await client.callTool({ name, arguments: args })) as Json;
  assert.equal(isError, undefined, JSON.stringify(content));
  return { data: structuredContent, text: content[0].text };
}

/** The text of a tool's error. */
export async function refusedCall(client: Client, name: string, args: Json = {}): Promise<string> {
  const { content, isError } = (await client.callTool({ name, arguments: args })) as Json;
  assert.equal(isError, true, JSON.stringify(content));
  return content[0].text;
}

/** Sends a request in the protocol revision without a handshake, with its headers and `_meta`. */
export function statelessRequest(
  world: World,
  token: string,
  method: string,
  params: Json = {},
  changes: { headers?: Record<string, string | undefined>; meta?: Json } = {},
): Promise<Answer> {
  const meta = {
    [`${META}protocolVersion`]: '2026-07-28',
    [`${META}clientCapabilities`]: {},
    [`${META}clientInfo`]: { name: 'test', version: '1.0.0' },
    ...changes.meta,
  };
  const headers = Object.entries({
    authorization: `Bearer ${token}`,
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': method,
    ...(params.name && { 'mcp-name': params.name }),
    ...changes.headers,
  }).filter((header): header is [string, string] => header[1] !== undefined);
  return world.request('POST', `${world.url}/mcp`, {
    body: { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: meta } },
    headers: Object.fromEntries(headers),
  });
}
