// @run sqlite: addresses are checked before anything is sent
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sender } from '../../server/src/push/sender.ts';
import { Browser, giveAccount } from '../support/account.ts';
import { allowed, refused } from '../support/addresses.ts';
import { assertRefused, dataOf } from '../support/expect.ts';
import { PUSH_KEYS } from '../support/filledPeople.ts';
import { PushService } from '../support/pushService.ts';
import { pushKeyOf } from '../support/sources.ts';
import { World } from '../support/world.ts';

const NOT_PUBLIC = 'not sent: the host is not allowed, or its address is not public';

let world: World;
let browser: Browser;
let service: PushService;
before(async () => {
  world = await World.open({ push: { allowPrivate: false, hosts: [] } });
  browser = await Browser.of(world, await giveAccount(world, await world.user()));
  service = await PushService.open();
});
after(async () => {
  await service?.close();
  await world?.close();
});

const subscribe = (endpoint: string) => browser.post('/push-subscriptions', { endpoint, keys: PUSH_KEYS });

for (const [kind, hosts] of Object.entries(refused)) {
  test(`endpoints are rejected: ${kind}`, async () => {
    for (const host of hosts)
      for (const endpoint of [`https://${host}/push`, `https://${host}:8443/push`])
        assertRefused(await subscribe(endpoint), 'INVALID_REQUEST', endpoint, 'endpoint');
  });
}

test('endpoints without TLS or with a password are rejected, and others are accepted', async () => {
  for (const endpoint of ['http://example.com/push', 'https://ada:secret@example.com/push'])
    assertRefused(await subscribe(endpoint), 'INVALID_REQUEST', endpoint, 'endpoint');
  for (const host of allowed) dataOf(await subscribe(`https://${host}/push`));
});

/** Sends one push, as the courier does. */
const push = (endpoint: string, resolve?: Parameters<typeof sender>[0]['resolve']) =>
  sender(
    {
      deps: world.data.deps,
      key: pushKeyOf(world.data),
      allowedHosts: { allowPrivate: false, hosts: [] },
      address: '',
      resolve,
    },
    new AbortController().signal,
  )(
    { endpoint, keys: PUSH_KEYS },
    { payload: {}, urgency: 'high', seconds: 60, topic: 'one', at: Date.now() },
  );

test('nothing is sent to a private address, even if the endpoint was accepted while that was allowed', async () => {
  const { port } = new URL(service.url);
  for (const host of ['127.0.0.1', 'localhost', '127.1', '[::ffff:127.0.0.1]', '0.0.0.0']) {
    const outcome = await push(`http://${host}:${port}/notify/1`);
    assert.deepEqual([outcome.name, outcome.error], ['unanswered', NOT_PUBLIC]);
  }
  assert.equal(service.tried, 0);
});

test('a name that resolves to any private address is rejected', async () => {
  const { port } = new URL(service.url);
  const addresses = Object.values(refused)
    .flat()
    .map((host) => new URL(`http://${host}/`).hostname.replace(/^\[|\]$/g, ''))
    .filter((host) => /^[\d.]+$|:/.test(host));
  assert.ok(addresses.length > 40);
  for (const address of addresses) {
    const family = address.includes(':') ? 6 : 4;
    const outcome = await push(`http://push.example.com:${port}/notify/1`, async () => [
      { address: '93.184.216.34', family: 4 },
      { address, family },
    ]);
    assert.equal(outcome.error, NOT_PUBLIC, address);
  }
  assert.equal(service.tried, 0);
});
