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

/** Changes one bit of bytes in base64url. */
function flipped(text: string): string {
  const bytes = Buffer.from(text, 'base64url');
  bytes[bytes.length - 1] = (bytes.at(-1) as number) ^ 1;
  return bytes.toString('base64url');
}

const deviations: Record<string, Deviation> = {
  'a page of another origin': { origin: 'https://evil.example' },
  'another port of the host': { origin: 'http://localhost:8081' },
  'a page over https': { origin: 'https://localhost:8080' },
  'a frame in a page of others': { crossOrigin: true },
  'another host': { rpId: 'evil.example' },
  'nobody was verified': { verified: false },
  'nobody was there': { present: false },
  'a challenge of nobody': { challenge: randomBytes(54).toString('base64url') },
  'no challenge': { challenge: '' },
  'backed up, and not to be': { backupEligible: false, backedUp: true },
};

test('an answer that differs in anything neither signs in nor proves', async () => {
  const { browser, authenticator } = await holderIn(world);
  const ofSignIn: Record<string, Deviation> = {
    ...deviations,
    'a registration': { type: 'webauthn.create' },
    'a handle of somebody else': { userHandle: randomBytes(16).toString('base64url') },
    'a counter that goes back': { counter: 1 },
    'can be copied now': { backupEligible: true },
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
  assertRefused(await signIn(world, authenticator, { userHandle: null }), 'UNAUTHORIZED', 'no handle');
  dataOf(await prove(browser, authenticator, { userHandle: null }), 'the session says whose it is');
  dataOf(await signIn(world, authenticator), 'it is what it was');
});

test('an answer that was changed on its way does not hold', async () => {
  const { authenticator } = await holderIn(world);
  for (const part of ['signature', 'authenticatorData', 'clientDataJSON'] as const) {
    const browser = new Browser(world);
    const passkey = authenticator.get(dataOf(await browser.post('/sign-in/options')));
    passkey.response[part] = flipped(passkey.response[part]);
    assertRefused(await browser.post('/sign-in/passkey', { passkey }), 'UNAUTHORIZED', part);
  }
});

test('an answer counts once, for five minutes', async () => {
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
    'another answer to the same challenge',
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

test('a challenge counts in its own ceremony and session alone', async () => {
  const { user, browser, authenticator } = await holderIn(world);
  const other = await Browser.of(world, user);
  const optionsOf = async (one: Browser, path: string) => dataOf(await one.post(path));
  const proof = await optionsOf(browser, '/proof/options');
  assertRefused(
    await other.post('/proof', { passkey: authenticator.get(proof) }),
    'UNAUTHORIZED',
    'of another session',
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
  // Nor does a registration begin in one session and end in another.
  const creation = await optionsOf(browser, '/passkeys/options');
  const fresh = new Authenticator(ADDRESS);
  assertRefused(await other.post('/passkeys', { passkey: fresh.create(creation) }), 'INVALID_REQUEST');
  const elsewhere = { ...creation, challenge: forSignIn.challenge };
  assertRefused(await browser.post('/passkeys', { passkey: fresh.create(elsewhere) }), 'INVALID_REQUEST');
  dataOf(await browser.post('/passkeys', { passkey: fresh.create(creation) }));
  assertRefused(
    await browser.post('/passkeys', { passkey: new Authenticator(ADDRESS).create(creation) }),
    'INVALID_REQUEST',
    'a challenge that was answered',
  );
});

test('the passkey of one person neither proves nor becomes that of another', async () => {
  const victim = await holderIn(world);
  const attacker = await holderIn(world);
  assertRefused(await prove(attacker.browser, victim.authenticator), 'UNAUTHORIZED');
  // A credential of the victim's name, with the key of the attacker.
  const named = await register(attacker.browser, new Authenticator(ADDRESS), { id: victim.authenticator.id });
  assertRefused(named, 'ALREADY_EXISTS');
  assertRefused(
    await signIn(world, attacker.authenticator, { id: victim.authenticator.id }),
    'UNAUTHORIZED',
    'the signature of another key',
  );
  assert.equal(dataOf(await signIn(world, victim.authenticator)).id, victim.user.id);
});

test('a registration that differs in anything is refused', async () => {
  const { browser } = await holderIn(world);
  const certified = new Map([['x5c', Buffer.alloc(8)]]) as never;
  const ofRegistration: Record<string, Deviation> = {
    ...deviations,
    'a sign-in': { type: 'webauthn.get' },
    'an attestation with certificates': { attestation: ['packed', certified] },
    'an attestation of another kind': { attestation: ['fido-u2f', new Map()] },
    'a statement of nothing': { attestation: ['none', certified] },
  };
  for (const [what, deviation] of Object.entries(ofRegistration)) {
    const refused = await register(browser, new Authenticator(ADDRESS), deviation);
    assertRefused(refused, 'INVALID_REQUEST', what, 'passkey');
  }
  assert.equal(dataOf(await browser.get('/passkeys')).length, 1);
  dataOf(await register(browser, new Authenticator(ADDRESS), { attestation: 'self' }), 'by the key itself');
});

test('hostile bodies are refused with a clear error', async () => {
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
