// @run measured: some lines run only in a separate server process
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { call, type Running, Stage } from '../support/process.ts';

const stage = new Stage();
let server: Running;
before(async () => {
  server = await stage.start(stage.folder());
});
after(() => stage.close());

/** The samples of `/metrics` by name and labels. Throws if a line is malformed. */
async function samples(): Promise<Map<string, number>> {
  // Metrics are updated once a second.
  await sleep(1_050);
  const { status, headers, text } = await call(server, 'GET', '/metrics');
  assert.equal(status, 200);
  assert.match(headers.get('content-type') ?? '', /^text\/plain; version=[\d.]+/);
  assert.ok(text.endsWith('\n'));
  const kinds = new Map<string, string>();
  const found = new Map<string, number>();
  for (const line of text.split('\n').filter(Boolean)) {
    const kind = /^# TYPE (\w+) (counter|gauge|histogram|summary)$/.exec(line);
    if (kind) kinds.set(kind[1] as string, kind[2] as string);
    if (line.startsWith('#')) {
      assert.match(line, /^# (HELP [a-zA-Z_:][\w:]* .+|TYPE .+)$/);
      continue;
    }
    const sample = /^([a-zA-Z_:][\w:]*)(\{(?:[a-zA-Z_]\w*="(?:[^"\\\n]|\\["\\n])*",?)*\})? (\S+)$/.exec(line);
    assert.ok(sample, `no sample: ${line}`);
    const [, name, labels = '', value] = sample as unknown as [string, string, string | undefined, string];
    const family = name.replace(/_(bucket|sum|count)$/, '');
    assert.ok(kinds.has(name) || kinds.has(family), `no type for ${name}`);
    const number = value === '+Inf' || value === 'Nan' ? Number.NaN : Number(value);
    assert.ok(!found.has(name + labels), `${name}${labels} is listed twice`);
    found.set(name + labels, number);
  }
  return found;
}

test('/healthz and /readyz need no key and return 200 when all is well', async () => {
  for (const path of ['/healthz', '/readyz']) {
    const { status, headers, body } = await call(server, 'GET', path);
    assert.equal(status, 200);
    assert.equal(body.ok, true);
    assert.equal(headers.get('cache-control'), 'no-store');
    assert.ok(headers.get('x-request-id'));
  }
});

test('/metrics counts requests by route and status, and commits', async () => {
  const route = '/api/v1/messages';
  const sent = `palaver_http_request_duration_seconds_count{method="POST",route="${route}",status="200"}`;
  const refused = `palaver_http_request_duration_seconds_count{method="POST",route="${route}",status="400"}`;
  const before = await samples();
  const send = (content: string) =>
    call(server, 'POST', route, { key: server.key, body: { channelId: server.channelId, content } });
  for (let number = 0; number < 5; number++) assert.equal((await send('counted')).status, 200);
  for (let number = 0; number < 3; number++) assert.equal((await send('')).status, 400);
  const after = await samples();
  const grown = (name: string) => (after.get(name) ?? 0) - (before.get(name) ?? 0);
  assert.equal(grown(sent), 5);
  assert.equal(grown(refused), 3);
  assert.ok(grown('palaver_commit_works_total') >= 5);
  assert.ok(grown('palaver_commit_batches_total') >= 1);
  assert.equal(after.get('palaver_ready'), 1);
  assert.ok((after.get('palaver_process_resident_memory_bytes') ?? 0) > 1_000_000);
});

test('/metrics has a cumulative histogram of request durations, whose last bucket counts all requests', async () => {
  assert.equal((await call(server, 'GET', '/api/v1/users/me', { key: server.key })).status, 200);
  const all = await samples();
  const name = 'palaver_http_request_duration_seconds';
  const of = 'method="GET",route="/api/v1/users/me",status="200"';
  const buckets = [...all]
    .filter(([sample]) => sample.startsWith(`${name}_bucket{`) && sample.includes(of))
    .map(([sample, count]) => ({ below: Number(/le="([^"]+)"/.exec(sample)?.[1]), count }));
  assert.equal(buckets.length, 12);
  assert.ok(buckets.every(({ count }, index) => count >= (buckets[index - 1]?.count ?? 0)));
  const seconds = all.get(`${name}_sum{${of}}`) ?? 0;
  assert.equal(all.get(`${name}_count{${of}}`), 1);
  assert.equal(buckets.at(-1)?.count, 1);
  // The request is in the first bucket whose limit is not below its duration, and in all buckets after that.
  for (const { below, count } of buckets) assert.equal(count, below < seconds ? 0 : 1, `below ${below}`);
});

test('/metrics has no labels from the paths that clients send', async () => {
  // The runtime's own samples vary, for instance by kind of garbage collection.
  const count = async () =>
    [...(await samples()).keys()].filter((name) => name.startsWith('palaver_http_')).length;
  await count();
  await call(server, 'GET', '/nowhere/at/all');
  await call(server, 'GET', '/api/v1/channels/first', { key: server.key });
  await call(server, 'GET', '/api/v1/nothing/first', { key: server.key });
  const before = await count();
  for (let number = 0; number < 20; number++) {
    await call(server, 'GET', `/nowhere/${number}`);
    await call(server, 'GET', `/api/v1/channels/${number}`, { key: server.key });
    await call(server, 'GET', `/api/v1/nothing/${number}`, { key: server.key });
  }
  assert.equal(await count(), before);
});

test('/metrics contains no key, user, message or path with an identifier', async () => {
  const { text } = await call(server, 'GET', '/metrics');
  assert.ok(!text.includes(server.key));
  assert.doesNotMatch(text, /[0-9a-f]{8}-[0-9a-f]{4}-7/);
});
