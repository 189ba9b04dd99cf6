// @run sqlite, waits: tests clients, which do not depend on the engine; waits for time to pass
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { EventSource as EventSource5 } from 'eventsource';
// @ts-expect-error: this version has no types.
import EventSource2 from 'eventsource2';
import { EventSource as EventSource3 } from 'eventsource3';
import { EventSource as EventSource4 } from 'eventsource4';
import { call, Stage, until } from '../support/process.ts';
import { Route } from '../support/route.ts';
import type { Json } from '../support/world.ts';

// Standard clients lose nothing when the server is killed before their first event. The examples are from the
// guide to events.

const stage = new Stage();
after(() => stage.close());

/** The guide's examples, by the functions that they define. */
const guide = readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'api', 'events.md'), 'utf8');
const examples = new Map(
  [...guide.matchAll(/```js\n([\s\S]*?)```/g)].map(([, code = '']) => [
    /^(?:async )?function (\w+)/m.exec(code)?.[1],
    code,
  ]),
);

/** The function of an example, with the globals of its page or program. */
function example(name: string, around: Record<string, unknown>): (...given: unknown[]) => unknown {
  const code = examples.get(name);
  assert.ok(code, `the guide has no function ${name}`);
  const body = code.replace(/^import .*$/m, '');
  return new Function(...Object.keys(around), `${body}\nreturn ${name};`)(...Object.values(around));
}

/** A client that follows the events. It calls `take` with each event, and `begun` once its stream is open. */
type Follow = (
  server: { url: string; key: string },
  take: (event: Json) => void,
  begun: () => void,
) => Promise<() => void> | (() => void);

interface Source {
  onopen: (() => void) | null;
  onmessage: ((message: { data: string }) => void) | null;
  addEventListener(type: string, listener: () => void): void;
  close(): void;
}

/** Passes the events of an npm client to `take`. Returns a function that closes the client. */
function watch(source: Source, take: (event: Json) => void): () => void {
  source.onmessage = ({ data }) => take(JSON.parse(data));
  return () => source.close();
}

/** An npm client as in the guide: it sends the key with its `fetch`, and listens to the event `opening`. */
const byGuide =
  (EventSource: unknown): Follow =>
  ({ url, key }, take, begun) => {
    const open = example('open', { EventSource, PALAVER: url, KEY: key });
    const source = open() as Source;
    source.addEventListener('opening', begun);
    return watch(source, take);
  };

/** An npm client that starts after the cursor of a page. */
const afterPage =
  (open: (url: string, key: string) => Source): Follow =>
  async (server, take, begun) => {
    const { url, key } = server;
    const { body } = await call({ url }, 'GET', '/api/v1/events?limit=100', { key });
    const source = open(`${url}/api/v1/events?after=${body.nextCursor}`, key);
    source.onopen = begun;
    return watch(source, take);
  };

const withFetch =
  (EventSource: typeof EventSource5 | typeof EventSource4 | typeof EventSource3) =>
  (url: string, key: string): Source =>
    new EventSource(url, {
      fetch: (input: string | URL, init: object & { headers: object }) =>
        fetch(input, { ...init, headers: { ...init.headers, Authorization: `Bearer ${key}` } }),
    } as never) as unknown as Source;

const withHeaders = (url: string, key: string): Source =>
  new EventSource2(url, { headers: { Authorization: `Bearer ${key}` } });

/** A page in a browser, as in the guide: with a ticket for each stream. */
const inPage: Follow = ({ url, key }, take, begun) => {
  const sources: EventSource5[] = [];
  let isOver = false;
  const EventSource = class extends EventSource5 {
    constructor(address: string) {
      super(address);
      this.addEventListener('open', begun);
      sources.push(this);
    }
  };
  const newTicket = async () => {
    if (isOver) await new Promise(() => {});
    const { body } = await call({ url }, 'POST', '/api/v1/events/tickets', { key });
    return body.data;
  };
  example('follow', { EventSource, PALAVER: url, newTicket })(take);
  return () => {
    isOver = true;
    for (const source of sources) source.close();
  };
};

const clients: Record<string, Follow> = {
  'eventsource 2, with the event `opening`': ({ url, key }, take, begun) => {
    const source = withHeaders(`${url}/api/v1/events?opening=true`, key);
    source.addEventListener('opening', begun);
    return watch(source, take);
  },
  'eventsource 2, after a page': afterPage(withHeaders),
  'eventsource 3, as in the guide': byGuide(EventSource3),
  'eventsource 3, after a page': afterPage(withFetch(EventSource3)),
  'eventsource 4, as in the guide': byGuide(EventSource4),
  'eventsource 4, after a page': afterPage(withFetch(EventSource4)),
  'eventsource 5, as in the guide': byGuide(EventSource5),
  'eventsource 5, after a page': afterPage(withFetch(EventSource5)),
  'a page with tickets, as in the guide': inPage,
};

/** The events that each client has received. */
const taken = new Map<string, Json[]>(Object.keys(clients).map((name) => [name, []]));
/** The messages that were sent while nobody was connected. */
const sent: string[] = [];
const stops: (() => void)[] = [];
const route = new Route();

before(async () => {
  const folder = stage.folder();
  const first = await stage.start(folder);
  const { key, channelId } = first;
  const url = (await route.open(first.url)).replace(/\/$/, '');
  const begun = new Set<string>();
  for (const [name, follow] of Object.entries(clients)) {
    const take = (event: Json) => taken.get(name)?.push(event);
    stops.push(await follow({ url, key }, take, () => begun.add(name)));
  }
  await until(() => begun.size === taken.size);
  await first.end('SIGKILL');
  route.cut();
  const second = await stage.start(folder);
  for (let index = 0; index < 3; index++) {
    const body = { channelId, content: `While you were away ${index}` };
    const answer = await call(second, 'POST', '/api/v1/messages', { key, body });
    sent.push(answer.body.data.id);
  }
  assert.ok([...taken.values()].every(({ length }) => length === 0));
  // No client has reconnected yet. From now on, all of them can.
  route.mend();
  route.lead(Number(new URL(second.url).port));
});
after(() => {
  for (const stop of stops) stop();
  route.close();
});

for (const [name, events] of taken) {
  test(`${name}: nothing is lost when the server is killed before the first event`, async () => {
    await until(() => events.length >= sent.length);
    assert.deepEqual(
      events.map(({ data }) => data.id),
      sent,
    );
  });
}
