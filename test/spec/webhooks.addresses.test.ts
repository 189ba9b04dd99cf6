// @run sqlite: addresses are checked before anything is sent
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createAgents } from '../../server/src/webhooks/guard.ts';
import { reasonOf, reasons } from '../../server/src/webhooks/reasons.ts';
import { send } from '../../server/src/webhooks/send.ts';
import { allowed, refused } from '../support/addresses.ts';
import { assertRefused, dataOf } from '../support/expect.ts';
import { Post } from '../support/post.ts';
import { until } from '../support/process.ts';
import { Receiver } from '../support/receiver.ts';
import { Scene } from '../support/scene.ts';
import { type Json, World } from '../support/world.ts';

/**
 * The error for an attempt to send to an address that is not allowed. It does not reveal the address to which a
 * name resolves.
 */
const NOT_PUBLIC = 'not sent: the host is not allowed, or its address is not public';

let world: World;
let scene: Scene;
before(async () => {
  world = await World.open();
  scene = await Scene.open(world);
});
after(() => world.close());

for (const [kind, hosts] of Object.entries(refused)) {
  test(`URLs are rejected: ${kind}`, async () => {
    const { id } = await scene.webhook();
    for (const host of hosts) {
      for (const url of [`http://${host}/`, `https://${host}:8443/hook`]) {
        assertRefused(await scene.admin.post('/webhooks', { url }), 'INVALID_REQUEST', url, 'url');
        assertRefused(await scene.admin.patch(`/webhooks/${id}`, { url }), 'INVALID_REQUEST', url, 'url');
      }
    }
  });
}

test('other URLs are accepted', async () => {
  for (const host of allowed) await scene.webhook({ url: `http://${host}/` });
});

/** Sends one event using agents that must not connect to private addresses. */
const attempt = (url: string, resolve?: Parameters<typeof createAgents>[1], hosts: string[] = []) =>
  send(
    { url, secrets: [`whsec_${Buffer.alloc(32).toString('base64')}`], id: 'one', body: '{}', at: Date.now() },
    createAgents(false, resolve),
    { allowPrivate: false, hosts },
    new AbortController().signal,
  );

test('nothing is sent to a private address, even if the URL was accepted while that was allowed', async () => {
  const receiver = await Receiver.open();
  const port = new URL(receiver.url).port;
  for (const host of ['127.0.0.1', 'localhost', '127.1', '[::ffff:127.0.0.1]', '0.0.0.0']) {
    const outcome = await attempt(`http://${host}:${port}/`);
    assert.deepEqual([outcome.name, outcome.error], ['unanswered', NOT_PUBLIC]);
  }
  assert.equal(receiver.deliveries.length, 0);
  await receiver.close();
});

test('with a list of hosts, webhooks go to these hosts only', async () => {
  const world = await World.open({ webhookHosts: ['hooks.example.com', '*.corp.example', '93.184.216.34'] });
  try {
    const scene = await Scene.open(world);
    const { id } = await scene.webhook({ url: 'https://hooks.example.com/a' });
    for (const url of [
      'https://HOOKS.example.com.:8443/',
      'http://a.b.corp.example/',
      'https://93.184.216.34/',
    ])
      await scene.webhook({ url });
    for (const host of [
      'example.com',
      'corp.example',
      'evilcorp.example',
      'hooks.example.com.evil.example',
      '1.1.1.1',
    ])
      for (const answer of [
        await scene.admin.post('/webhooks', { url: `https://${host}/` }),
        await scene.admin.patch(`/webhooks/${id}`, { url: `https://${host}/` }),
      ])
        assertRefused(answer, 'INVALID_REQUEST', host, 'url');
  } finally {
    await world.close();
  }
  let lookups = 0;
  const outcome = await attempt('https://other.example.com/', async () => {
    lookups++;
    return [{ address: '93.184.216.34', family: 4 }];
  }, ['hooks.example.com']);
  assert.deepEqual([outcome.name, outcome.error, lookups], ['unanswered', NOT_PUBLIC, 0]);
});

test('a name that resolves to any private address is rejected, with one lookup per attempt', async () => {
  const receiver = await Receiver.open();
  const port = new URL(receiver.url).port;
  const name = `http://receiver.example.com:${port}/`;
  const addresses = Object.values(refused)
    .flat()
    .map((host) => new URL(`http://${host}/`).hostname.replace(/^\[|\]$/g, ''))
    .filter((host) => /^[\d.]+$|:/.test(host));
  assert.ok(addresses.length > 40);
  for (const address of addresses) {
    const family = address.includes(':') ? 6 : 4;
    for (const found of [
      [{ address, family }],
      [
        { address: '93.184.216.34', family: 4 },
        { address, family },
      ],
    ]) {
      let lookups = 0;
      const outcome = await attempt(name, async (hostname) => {
        assert.equal(hostname, 'receiver.example.com');
        lookups++;
        return found;
      });
      assert.equal(outcome.error, NOT_PUBLIC, 'the address is not revealed');
      assert.equal(lookups, 1, 'the checked address is the one connected to');
    }
  }
  assert.equal(receiver.deliveries.length, 0);
  await receiver.close();
});

test('a name that does not resolve is a failure, reported without details', async () => {
  const none = await attempt('https://receiver.example.com/', async () => []);
  assert.equal(none.error, 'the host name was not found');
  const failing = await attempt('https://receiver.example.com/', async () => {
    throw Object.assign(new Error('queryA ESERVFAIL'), { code: 'ESERVFAIL' });
  });
  assert.equal(failing.error, 'the host name was not found');
});

test('connection errors are reported without addresses and codes', () => {
  const codes = {
    refused: ['ECONNREFUSED'],
    closed: ['ECONNRESET', 'EPIPE'],
    unknownHost: ['ENOTFOUND', 'ESERVFAIL', 'EAI_AGAIN', 'ETIMEOUT'],
    unreachable: ['ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH'],
    insecure: ['EPROTO', 'ERR_TLS_CERT_ALTNAME_INVALID', 'CERT_HAS_EXPIRED', 'DEPTH_ZERO_SELF_SIGNED_CERT'],
    unreadable: ['HPE_INVALID_CONSTANT'],
    other: ['EMFILE', 'ERR_SOMETHING_NEW'],
  } as const;
  const failed = (code?: string) =>
    Object.assign(new Error('connect ECONNREFUSED 10.0.0.5:443'), code && { code });
  for (const [reason, given] of Object.entries(codes))
    for (const code of given) assert.equal(reasonOf(failed(code)), reason, code);
  assert.equal(reasonOf(failed()), 'other');
  for (const words of Object.values(reasons)) assert.doesNotMatch(words, /\d+\.\d+|E[A-Z]{4,}|Error/);
});

test('the list of attempts shows why nothing was sent', async () => {
  const post = await Post.open({ allowedHosts: { allowPrivate: false, hosts: [] } });
  try {
    const webhook: Json = await post.webhook();
    const { id } = await post.scene.channel();
    await post.say(id, 'hello');
    await until(async () => (await post.attempts(webhook)).length > 0);
    const [made] = await post.attempts(webhook);
    assert.equal(made.status, null);
    assert.equal(made.error, NOT_PUBLIC);
    assert.ok(made.nextAt > post.clock.at, 'a retry is scheduled, in case the operator allows it');
    assert.equal(post.receiver.deliveries.length, 0);
    dataOf(await post.scene.admin.delete(`/webhooks/${webhook.id}`));
  } finally {
    await post.close();
  }
});
