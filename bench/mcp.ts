import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openData } from '../server/src/node/data.ts';
import { type Figures, generateBy } from './load.ts';
import { type Made, makeServer } from './made.ts';
import { startOnServerCore, untilIdle } from './processes.ts';
import { CONTENT, inTurn, note, perSecond, publish, ratio, reportWithLoad, SMALL } from './report.ts';
import { seedMessages } from './seed.ts';

/** The lowest rate of tool calls, relative to the same operation over REST. */
const GOAL = 0.6;
const META = 'io.modelcontextprotocol/';
const REVISION = '2026-07-28';
const meta = {
  [`${META}protocolVersion`]: REVISION,
  [`${META}clientCapabilities`]: {},
  [`${META}clientInfo`]: { name: 'bench', version: '1.0.0' },
};

/** MCP tools return the authors of messages. REST returns them only with this parameter. */
const AUTHORS = 'expand=creator';

/** A request. `KEY` in its strings is replaced with a value that is unique per request. */
interface Call {
  method: 'GET' | 'POST';
  path: string;
  headers: Record<string, string>;
  body?: object;
}

/** A tool call, the request with the same data, and, for a read, the request without authors. */
interface Compared {
  name: string;
  tool: Call;
  same: Call;
  plain?: Call;
}

const lua = (text: string): string => `[==[${text}]==]`;

/** A wrk script that sends a request repeatedly. */
function scriptOf({ method, path, headers, body }: Call): string {
  const fields = Object.entries(headers).map(
    ([name, value]) => `["${name}"] = ${value === 'KEY' ? 'key' : lua(value)}`,
  );
  const text = body === undefined ? '' : JSON.stringify(body);
  // A round takes at least a second, so the time makes its keys unique.
  return `local round, at = os.time() .. "-", 0
    request = function()
      at = at + 1
      local key = round .. at
      local text = string.gsub(${lua(text)}, "KEY", key)
      return wrk.format("${method}", ${lua(path)}, {${fields}}, text)
    end`;
}

/** The requests to compare, on a server whose small channel has messages. */
function comparedOn({ key, small, busy }: Made, messageId: string): Compared[] {
  const authorization = `Bearer ${key}`;
  const typed = { authorization, 'content-type': 'application/json' };
  const get = (path: string): Call => ({ method: 'GET', path: `/api/v1${path}`, headers: { authorization } });
  const tool = (name: string, given: object): Call => ({
    method: 'POST',
    path: `/mcp/${small.serverId}`,
    headers: {
      ...typed,
      'mcp-protocol-version': REVISION,
      'mcp-method': 'tools/call',
      'mcp-name': name,
      accept: 'application/json, text/event-stream',
    },
    body: {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name, arguments: given, _meta: meta },
    },
  });
  const sent = { channelId: busy.id, content: CONTENT };
  const headers = { ...typed, 'idempotency-key': 'KEY' };
  const [one, page] = [`/messages/${messageId}`, `/channels/${small.id}/messages`];
  return [
    {
      name: 'send',
      tool: tool('send', { ...sent, requestKey: 'KEY' }),
      same: { method: 'POST', path: '/api/v1/messages', headers, body: sent },
    },
    {
      name: 'read_message',
      tool: tool('read_message', { messageId }),
      same: get(`${one}?${AUTHORS}`),
      plain: get(one),
    },
    {
      name: 'read_channel',
      tool: tool('read_channel', { channelId: small.id }),
      same: get(`${page}?${AUTHORS}`),
      plain: get(page),
    },
  ];
}

/** Measures the sides of a comparison alternately, and reports the ratio of their rates. */
async function compare(url: string, { name, tool, same, plain }: Compared): Promise<void> {
  const sides = [tool, same, ...(plain ? [plain] : [])].map(
    (call) =>
      (seconds: number): Promise<Figures> =>
        generateBy(url, scriptOf(call), seconds),
  );
  const [calls = [], rests = [], plains] = await inTurn(...sides);
  const found = ratio(calls, rests);
  const rates = `, ${perSecond(calls)}/s against ${perSecond(rests)}/s`;
  reportWithLoad(`${name}: calls, relative to REST`, found, '', `≥ ${GOAL}`, found >= GOAL, rates);
  if (plains) note(`${name}: calls, relative to REST without authors`, ratio(calls, plains), '');
}

/**
 * Compares MCP tool calls with the same operations over REST, alternating: a send, a message, and a page of 50
 * messages. Requires wrk.
 */
export async function measureMcp(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'palaver-bench-'));
  try {
    const data = await openData({ data: folder });
    const made = await makeServer(data);
    await data.db.close();
    seedMessages(join(folder, 'palaver.db'), made.small, made.user.id, SMALL);
    const args = ['start', '--port', '0', '--data', folder];
    const palaver = await startOnServerCore('server/src/main.ts', args, { PALAVER_LIMITS: '{"*":0}' });
    try {
      const headers = { authorization: `Bearer ${made.key}` };
      const page = `${palaver.url}/api/v1/channels/${made.small.id}/messages?limit=1`;
      const { data } = (await (await fetch(page, { headers })).json()) as { data: [{ id: string }] };
      for (const compared of comparedOn(made, data[0].id)) {
        await untilIdle(palaver);
        await compare(palaver.url, compared);
      }
    } finally {
      await palaver.stop();
    }
    publish('Model Context Protocol', `SQLite ${process.versions.sqlite}`);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
