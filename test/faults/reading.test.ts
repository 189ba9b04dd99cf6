import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { call, type Running, Stage, until } from '../support/process.ts';
import type { Json } from '../support/world.ts';

const ROUNDS = 3;
const WRITERS = 4;
const PASSWORD = 'a horse that nobody rides';

const stage = new Stage();
after(() => stage.close());

test(`${ROUNDS} kills while markers move and drafts are saved: nothing acknowledged is lost`, async () => {
  const folder = stage.folder();
  const environment = { PALAVER_LIMITS: '{"*":0}' };
  let server = await stage.start(folder, { environment });
  const { key, channelId } = server;
  const token = /link_plv_\w+/.exec(server.output())?.[0];
  const claimed = await call(server, 'POST', '/api/people/links/claim', {
    headers: { 'palaver-server': 'none' },
    body: { token, password: PASSWORD },
  });
  const cookie = (claimed.headers.get('set-cookie') ?? '').split(';')[0] as string;
  const { id: serverId } = (await call(server, 'GET', '/api/v1/users/me', { key })).body.data.server;
  const headers = { 'palaver-server': serverId, cookie };
  const ask = (at: Running, method: string, path: string, body?: unknown) =>
    call(at, method, `/api/people${path}`, { headers, body });

  const send = async (at: Running): Promise<string> =>
    (await call(at, 'POST', '/api/v1/messages', { key, body: { channelId, content: 'Hello' } })).body.data.id;

  /** Marks messages and saves drafts until the server is gone. Records the furthest acknowledged marker and draft. */
  async function mark(at: Running, ids: readonly string[], furthest: { marker: string; draft: number }) {
    for (let number = 0; ; number++) {
      const messageId = ids[number % ids.length] as string;
      const body = { marks: [{ channelId, messageId }] };
      const [marked, kept] = await Promise.all([
        ask(at, 'POST', '/reading/marks', body).catch(() => undefined),
        ask(at, 'POST', '/drafts', { channelId, content: `Draft ${number}` }).catch(() => undefined),
      ]);
      if (marked?.status === 200) {
        const [{ messageId: given }] = marked.body.data.marks;
        if (given > furthest.marker) furthest.marker = given;
      }
      if (kept?.status === 200) furthest.draft = Math.max(furthest.draft, kept.body.data.draft.updatedAt);
      if (!marked || !kept) return;
    }
  }

  for (let round = 0; round < ROUNDS; round++) {
    const ids: string[] = [];
    for (let number = 0; number < 40; number++) ids.push(await send(server));
    const furthest = { marker: '', draft: 0 };
    const writers = Array.from({ length: WRITERS }, (_, writer) => {
      const part = ids.filter((_, index) => index % WRITERS === writer);
      return mark(server, part, furthest);
    });
    await until(() => furthest.marker > (ids[8] as string), 60_000, 1);
    await server.end('SIGKILL');
    await Promise.all(writers);
    server = await stage.start(folder, { environment });
    const state = (await ask(server, 'GET', '/reading')).body.data as Json;
    const channel = state.channels.find((one: Json) => one.channelId === channelId);
    assert.ok(channel.messageId >= furthest.marker, 'an acknowledged mark is lost');
    assert.ok(state.drafts[0].updatedAt >= furthest.draft, 'an acknowledged draft is lost');
  }
});
