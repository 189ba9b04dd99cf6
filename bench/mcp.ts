import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openData } from '../server/src/node/data.ts';
import { type Figures, generateBy } from './load.ts';
import { makeServer } from './made.ts';
import { startOnServerCore, untilIdle } from './processes.ts';
import { CONTENT, inTurn, perSecond, publish, ratio, reportWithLoad, SMALL } from './report.ts';
import { seedMessages } from './seed.ts';

/** The lowest rate of tool calls, relative to the same operation over REST. */
const GOAL = 0.6;
const META = 'io.modelcontextprotocol/';
const REVISION = '2026-07-28';

/** A request. `KEY` in its texts is replaced by a text that is new each time. */
interface Call {
  method: 'GET' | 'POST';
  path: string;
  headers: Record<string, string>;
  body?: object;
}

const lua = (text: string): string => `[==[${text}]==]`;

/** A wrk script that sends a request repeatedly. */
function scriptOf({ method, path, headers, body }: Call): string {
  const fields = Object.entries(headers).map(
    ([name, value]) => `["${name}"] = ${value === 'KEY' ? 'key' : lua(value)}`,
  );
  const text = body === undefined ? '' : JSON.stringify(body);
  // A round takes at least a second, so its keys are new.
  return `local round, at = os.time() .. "-", 0
    request = function()
      at = at + 1
      local key = round .. at
      local text = string.gsub(${lua(text)}, "KEY", key)
      return wrk.format("${method}", ${lua(path)}, {${fields}}, text)
    end`;
}

/**
 * Measures tool calls of MCP against the same operations over REST, alternately: a send, a message, and a page of 50
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
      const authorization = `Bearer ${made.key}`;
      const typed = { authorization, 'content-type': 'application/json' };
      const rest = (path: string): Call => ({
        method: 'GET',
        path: `/api/v1${path}`,
        headers: { authorization },
      });
      const tool = (name: string, given: object): Call => ({
        method: 'POST',
        path: `/mcp/${made.small.serverId}`,
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
          params: {
            name,
            arguments: given,
            _meta: {
              [`${META}protocolVersion`]: REVISION,
              [`${META}clientCapabilities`]: {},
              [`${META}clientInfo`]: { name: 'bench', version: '1.0.0' },
            },
          },
        },
      });
      const page = `/channels/${made.small.id}/messages`;
      const answer = await fetch(`${palaver.url}/api/v1${page}?limit=1`, { headers: { authorization } });
      const [{ id: messageId }] = ((await answer.json()) as { data: [{ id: string }] }).data;
      const sent = { channelId: made.busy.id, content: CONTENT };
      const pairs: [string, Call, Call][] = [
        [
          'send',
          {
            method: 'POST',
            path: '/api/v1/messages',
            headers: { ...typed, 'idempotency-key': 'KEY' },
            body: sent,
          },
          tool('send', { ...sent, requestKey: 'KEY' }),
        ],
        ['read_message', rest(`/messages/${messageId}`), tool('read_message', { messageId })],
        ['read_channel', rest(page), tool('read_channel', { channelId: made.small.id })],
      ];
      for (const [name, overRest, overMcp] of pairs) {
        await untilIdle(palaver);
        const side =
          (call: Call) =>
          (seconds: number): Promise<Figures> =>
            generateBy(palaver.url, scriptOf(call), seconds);
        const [rests, calls] = await inTurn(side(overRest), side(overMcp));
        const found = ratio(calls, rests);
        const rates = `, ${perSecond(calls)}/s against ${perSecond(rests)}/s`;
        reportWithLoad(
          `${name}: calls per second, relative to REST`,
          found,
          '',
          `≥ ${GOAL}`,
          found >= GOAL,
          rates,
        );
      }
    } finally {
      await palaver.stop();
    }
    publish('Model Context Protocol', `SQLite ${process.versions.sqlite}`);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
