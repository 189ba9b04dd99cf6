import type { Static } from 'typebox';
import type { RowOf } from '../../db/schema.ts';
import type { ActCall } from '../../operations/act.ts';
import { sessionOf } from '../../operations/call.ts';
import { type Bound, type Ceremony, endOf } from './challenge.ts';
import { ALGORITHMS, type assertion, type registration } from './options.ts';
import { hostOfOrigin } from './place.ts';

/** A challenge that was answered correctly but has not been consumed yet. */
export interface Answered {
  challenge: string;
  expiresAt: number;
}

/** The fields of `CollectedClientData` (WebAuthn, 5.8.1) that we check. */
interface ClientData {
  challenge: string;
  crossOrigin?: unknown;
}

function clientDataOf(encoded: string): ClientData | undefined {
  try {
    const data = JSON.parse(Buffer.from(encoded, 'base64url').toString('utf8')) as Partial<ClientData> | null;
    return typeof data?.challenge === 'string' ? (data as ClientData) : undefined;
  } catch {
    return undefined;
  }
}

export const boundTo = (call: Pick<ActCall, 'caller'>, ceremony: Ceremony): Bound => ({
  ceremony,
  sessionId: ceremony === 'signIn' ? undefined : sessionOf(call)?.id,
});

/**
 * Returns the challenge that was answered. Undefined if it belongs to another ceremony, or was answered in a
 * cross-origin frame.
 */
function answered(call: ActCall, clientDataJSON: string, ceremony: Ceremony): Answered | undefined {
  const data = clientDataOf(clientDataJSON);
  if (data === undefined || data.crossOrigin === true) return undefined;
  const expiresAt = endOf(call.services, data.challenge, boundTo(call, ceremony), call.now);
  return expiresAt === undefined ? undefined : { challenge: data.challenge, expiresAt };
}

/** The columns of a passkey that come from its registration. */
type Made = Pick<
  RowOf<'passkey'>,
  'credential' | 'publicKey' | 'counter' | 'transports' | 'origin' | 'backupEligible' | 'backedUp'
>;

/**
 * Verifies a passkey's registration (WebAuthn, 7.1) on a page of the caller's origin, with user verification.
 * Undefined if verification fails.
 */
export async function registered(
  call: ActCall,
  response: Static<typeof registration>,
): Promise<(Answered & { made: Made }) | undefined> {
  const { origin } = call;
  const found = answered(call, response.response.clientDataJSON, 'register');
  if (!found) return undefined;
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server');
  try {
    if (!(await isPlain(response.response.attestationObject))) return undefined;
    const { registrationInfo } = await verifyRegistrationResponse({
      response: { ...response, clientExtensionResults: {} } as never,
      expectedChallenge: found.challenge,
      expectedOrigin: origin,
      expectedRPID: hostOfOrigin(origin),
      requireUserVerification: true,
      supportedAlgorithmIDs: [...ALGORITHMS],
    });
    if (!registrationInfo || registrationInfo.credential.id !== response.id) return undefined;
    const { credential, credentialBackedUp, credentialDeviceType } = registrationInfo;
    const made = {
      credential: credential.id,
      publicKey: Buffer.from(credential.publicKey).toString('base64url'),
      counter: credential.counter,
      transports: response.response.transports ?? [],
      origin,
      backupEligible: credentialDeviceType === 'multiDevice',
      backedUp: credentialBackedUp,
    };
    return { ...found, made };
  } catch {
    return undefined;
  }
}

/**
 * Whether the attestation is `none` or self-attestation, the only kinds that Palaver accepts. Certificates
 * are untrusted input, and could make the server fetch revocation lists from their URLs.
 */
async function isPlain(attestationObject: string): Promise<boolean> {
  const { decodeAttestationObject } = await import('@simplewebauthn/server/helpers');
  const decoded = decodeAttestationObject(new Uint8Array(Buffer.from(attestationObject, 'base64url')));
  const format = decoded.get('fmt');
  return format === 'none' || (format === 'packed' && decoded.get('attStmt').get('x5c') === undefined);
}

/** The counter and the backup state in a passkey's assertion. */
type Told = Pick<RowOf<'passkey'>, 'counter' | 'backedUp'>;

/**
 * Verifies a passkey's assertion (WebAuthn, 7.2), with user verification. Without the `address` setting,
 * the page's origin must be the one at registration. Undefined if verification fails.
 */
export async function asserted(
  call: ActCall,
  ceremony: Ceremony,
  passkey: RowOf<'passkey'>,
  response: Static<typeof assertion>,
): Promise<(Answered & { told: Told }) | undefined> {
  const found = answered(call, response.response.clientDataJSON, ceremony);
  const handle = response.response.userHandle ?? undefined;
  if (!found || (handle === undefined ? ceremony === 'signIn' : handle !== handleOf(passkey.userId)))
    return undefined;
  const origin = call.hasFixedOrigin ? call.origin : passkey.origin;
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server');
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: { ...response, clientExtensionResults: {} } as never,
      expectedChallenge: found.challenge,
      expectedOrigin: origin,
      expectedRPID: hostOfOrigin(origin),
      requireUserVerification: true,
      credential: {
        id: passkey.credential,
        publicKey: new Uint8Array(Buffer.from(passkey.publicKey, 'base64url')),
        counter: passkey.counter,
      },
    });
    const { newCounter, credentialBackedUp, credentialDeviceType } = authenticationInfo;
    const isEligible = credentialDeviceType === 'multiDevice';
    if (!verified || isEligible !== passkey.backupEligible) return undefined;
    return { ...found, told: { counter: newCounter, backedUp: credentialBackedUp } };
  } catch {
    return undefined;
  }
}

/** Returns a person's user handle (WebAuthn, 5.4.3): the bytes of their id, in base64url. */
export const handleOf = (userId: string): string =>
  Buffer.from(userId.replaceAll('-', ''), 'hex').toString('base64url');
