import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, test } from 'node:test';
import { Browser } from '../support/account.ts';
import { Authenticator, type Deviation } from '../support/authenticator.ts';
import { assertRefused, dataOf } from '../support/expect.ts';
import { ADDRESS, holderIn, prove, register, signIn } from '../support/passkeys.ts';
import { type Json, TestClock, World } from '../support/world.ts';

const FIVE_MINUTES_MS = 5 * 60_000;
const clock = new TestClock();
let world: World;
before(async () => {
  world = await World.open({ clock, address: ADDRESS });
});
after(() => world.close());

/** Flips one bit of base64url-encoded bytes. */
function flipped(text: string): string {
  const bytes = Buffer.from(text, 'base64url');
  bytes[bytes.length - 1] = (bytes.at(-1) as number) ^ 1;
  return bytes.toString('base64url');
}

const deviations: Record<string, Deviation> = {
  'a page of another origin': { origin: 'https://evil.example' },
  'another port of the host': { origin: 'http://localhost:8081' },
  'a page over https': { origin: 'https://localhost:8080' },
  'a frame on another site': { crossOrigin: true },
  'another host': { rpId: 'evil.example' },
  'without user verification': { verified: false },
  'without user presence': { present: false },
  'an unknown challenge': { challenge: randomBytes(54).toString('base64url') },
  'no challenge': { challenge: '' },
  'backed up, but not eligible': { backupEligible: false, backedUp: true },
};

test('a response that deviates in any way neither signs in nor confirms the identity', async () => {
  const { browser, authenticator } = await holderIn(world);
  const ofSignIn: Record<string, Deviation> = {
    ...deviations,
    'a registration': { type: 'webauthn.create' },
    'the user handle of somebody else': { userHandle: randomBytes(16).toString('base64url') },
    'a counter that decreases': { counter: 1 },
    'backup eligibility was added': { backupEligible: true },
    'an unknown passkey': { id: randomBytes(16).toString('base64url') },
  };
  for (const [what, deviation] of Object.entries(ofSignIn)) {
    const answers = [
      await signIn(world, authenticator, deviation),
      await prove(browser, authenticator, deviation),
    ];
    for (const answer of answers) {
      assertRefused(answer, 'UNAUTHORIZED', what);
      assert.match(answer.body.error.message, /^this passkey is unknown, or the request has expired/, what);
      assert.deepEqual(answer.headers.getSetCookie(), [], what);
    }
  }
  assertRefused(await signIn(world, authenticator, { userHandle: null }), 'UNAUTHORIZED', 'no user handle');
  dataOf(await prove(browser, authenticator, { userHandle: null }), 'the session identifies the user');
  dataOf(await signIn(world, authenticator), 'it is unchanged');
});

test('a response modified in transit is rejected', async () => {
  const { authenticator } = await holderIn(world);
  for (const part of ['signature', 'authenticatorData', 'clientDataJSON'] as const) {
    const browser = new Browser(world);
    const passkey = authenticator.get(dataOf(await browser.post('/sign-in/options')));
    passkey.response[part] = flipped(passkey.response[part]);
    assertRefused(await browser.post('/sign-in/passkey', { passkey }), 'UNAUTHORIZED', part);
  }
});

test('a response is valid once, within five minutes', async () => {
  const { authenticator } = await holderIn(world, new Authenticator(ADDRESS, { counts: false }));
  const browser = new Browser(world);
  const options = dataOf(await browser.post('/sign-in/options'));
  const passkey = authenticator.get(options);
  const answers = await Promise.all(
    [1, 2, 3].map(() => new Browser(world).post('/sign-in/passkey', { passkey })),
  );
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 401, 401]);
  assertRefused(await browser.post('/sign-in/passkey', { passkey }), 'UNAUTHORIZED');
  assertRefused(
    await browser.post('/sign-in/passkey', { passkey: authenticator.get(options) }),
    'UNAUTHORIZED',
    'another response to the same challenge',
  );
  const late = dataOf(await browser.post('/sign-in/options'));
  clock.advance(FIVE_MINUTES_MS - 1);
  dataOf(await browser.post('/sign-in/passkey', { passkey: authenticator.get(late) }));
  const later = dataOf(await browser.post('/sign-in/options'));
  clock.advance(FIVE_MINUTES_MS);
  assertRefused(
    await browser.post('/sign-in/passkey', { passkey: authenticator.get(later) }),
    'UNAUTHORIZED',
  );
});

test('a challenge is only valid in its own ceremony and session', async () => {
  const { user, browser, authenticator } = await holderIn(world);
  const other = await Browser.of(world, user);
  const optionsOf = async (one: Browser, path: string) => dataOf(await one.post(path));
  const proof = await optionsOf(browser, '/proof/options');
  assertRefused(
    await other.post('/proof', { passkey: authenticator.get(proof) }),
    'UNAUTHORIZED',
    'a challenge from another session',
  );
  const forSignIn = await optionsOf(new Browser(world), '/sign-in/options');
  const crossed: [string, Json, string][] = [
    ['/sign-in/passkey', proof, 'a proof'],
    ['/proof', forSignIn, 'a sign-in'],
    ['/proof', { ...(await optionsOf(browser, '/passkeys/options')), rpId: 'localhost' }, 'a registration'],
  ];
  for (const [path, options, what] of crossed)
    assertRefused(await browser.post(path, { passkey: authenticator.get(options) }), 'UNAUTHORIZED', what);
  dataOf(await browser.post('/proof', { passkey: authenticator.get(proof) }));
  // A registration cannot start in one session and finish in another.
  const creation = await optionsOf(browser, '/passkeys/options');
  const fresh = new Authenticator(ADDRESS);
  assertRefused(await other.post('/passkeys', { passkey: fresh.create(creation) }), 'INVALID_REQUEST');
  const elsewhere = { ...creation, challenge: forSignIn.challenge };
  assertRefused(await browser.post('/passkeys', { passkey: fresh.create(elsewhere) }), 'INVALID_REQUEST');
  dataOf(await browser.post('/passkeys', { passkey: fresh.create(creation) }));
  assertRefused(
    await browser.post('/passkeys', { passkey: new Authenticator(ADDRESS).create(creation) }),
    'INVALID_REQUEST',
    'a used challenge',
  );
});

test("one person's passkey can neither confirm another person's identity nor be registered by them", async () => {
  const victim = await holderIn(world);
  const attacker = await holderIn(world);
  assertRefused(await prove(attacker.browser, victim.authenticator), 'UNAUTHORIZED');
  // A credential with the victim's id and the attacker's key.
  const named = await register(attacker.browser, new Authenticator(ADDRESS), { id: victim.authenticator.id });
  assertRefused(named, 'ALREADY_EXISTS');
  assertRefused(
    await signIn(world, attacker.authenticator, { id: victim.authenticator.id }),
    'UNAUTHORIZED',
    'the signature of another key',
  );
  assert.equal(dataOf(await signIn(world, victim.authenticator)).id, victim.user.id);
});

test('a registration that deviates in any way is rejected', async () => {
  const { browser } = await holderIn(world);
  const certified = new Map([['x5c', Buffer.alloc(8)]]) as never;
  const ofRegistration: Record<string, Deviation> = {
    ...deviations,
    'a sign-in': { type: 'webauthn.get' },
    'an attestation with certificates': { attestation: ['packed', certified] },
    'an attestation with another format': { attestation: ['fido-u2f', new Map()] },
    'an empty attestation statement': { attestation: ['none', certified] },
  };
  for (const [what, deviation] of Object.entries(ofRegistration)) {
    const refused = await register(browser, new Authenticator(ADDRESS), deviation);
    assertRefused(refused, 'INVALID_REQUEST', what, 'passkey');
  }
  assert.equal(dataOf(await browser.get('/passkeys')).length, 1);
  dataOf(await register(browser, new Authenticator(ADDRESS), { attestation: 'self' }), 'self-attestation');
});

test('hostile bodies are rejected with a clear error', async () => {
  const { browser, authenticator } = await holderIn(world);
  const right = authenticator.get(dataOf(await browser.post('/proof/options')));
  const { response } = right;
  const bodies: Json[] = [
    {},
    { passkey: null },
    { passkey: [] },
    { passkey: { ...right, type: 'password' } },
    { passkey: { ...right, rawId: 'AA' } },
    { passkey: { ...right, id: 'x'.repeat(1_401) } },
    { passkey: { ...right, id: { $ne: null } } },
    { passkey: { ...right, response: {} } },
    { passkey: { ...right, response: { ...response, signature: 'x'.repeat(16_001) } } },
    { passkey: { ...right, response: { ...response, signature: '' } } },
    { passkey: { ...right, response: { ...response, authenticatorData: '_' } } },
    { passkey: { ...right, response: { ...response, clientDataJSON: 'bnVsbA' } } },
    { passkey: { ...right, response: { ...response, clientDataJSON: '____' } } },
    { passkey: { ...right, response: { ...response, userHandle: 5 } } },
  ];
  for (const body of bodies)
    for (const path of ['/sign-in/passkey', '/proof', '/passkeys']) {
      const { status, body: said } = await browser.post(path, body);
      assert.ok([400, 401].includes(status), `${path} ${JSON.stringify(body)} ${JSON.stringify(said)}`);
    }
  for (const attestationObject of ['oA', '____', Buffer.alloc(9_000, 0x9f).toString('base64url')]) {
    const options = dataOf(await browser.post('/passkeys/options'));
    const passkey = new Authenticator(ADDRESS).create(options);
    passkey.response.attestationObject = attestationObject;
    assertRefused(await browser.post('/passkeys', { passkey }), 'INVALID_REQUEST');
  }
  const foreign = { origin: 'https://evil.example' };
  for (const path of ['/sign-in/options', '/proof/options', '/passkeys/options'])
    assertRefused(await browser.post(path, undefined, foreign), 'UNAUTHORIZED', path);
});
