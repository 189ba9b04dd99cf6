import type { Person, Records } from '../../api/index.ts';
import { session as t } from '../../strings/en/session.ts';
import { Refusal } from './refusal.ts';

// `toJSON` returns the format that the server accepts.
type Assertion = Parameters<Person['passkeySignIn']>[0]['passkey'];
type Registration = Parameters<Person['passkeyInsert']>[0]['passkey'];
type RequestOptions = Records['PasskeyRequestOptions'];
type CreationOptions = Records['PasskeyCreationOptions'];

/**
 * True if the browser supports passkeys here, which requires TLS or localhost, and a host name instead of
 * an IP address.
 */
export const hasPasskeys = (): boolean =>
  isSecureContext &&
  typeof PublicKeyCredential === 'function' &&
  typeof PublicKeyCredential.parseRequestOptionsFromJSON === 'function' &&
  !/^[\d.]+$|^\[/.test(location.hostname);

/** True if the browser can offer passkeys in the autofill of a username field. */
export const canSuggestPasskeys = async (): Promise<boolean> =>
  hasPasskeys() && ((await PublicKeyCredential.isConditionalMediationAvailable?.()) ?? false);

/** The error for a failed ceremony. Browsers deliberately reveal little about the cause. */
function refusalOf(error: unknown): Error {
  if (!(error instanceof DOMException)) return error as Error;
  if (error.name === 'InvalidStateError') return new Refusal(t.passkey.hasOne);
  if (error.name === 'NotAllowedError' || error.name === 'AbortError') return new Refusal(t.passkey.stopped);
  return new Refusal(t.passkey.failed);
}

/**
 * Completes a sign-in or identity check with a passkey. With `isSuggested`, waits until the user selects a
 * passkey from autofill. Throws a Refusal if the user cancels, and the signal's reason if it is aborted.
 */
export async function passkeyAnswer(
  options: RequestOptions,
  { isSuggested = false, signal }: { isSuggested?: boolean; signal?: AbortSignal } = {},
): Promise<Assertion> {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(
    options as PublicKeyCredentialRequestOptionsJSON,
  );
  const request = { publicKey, signal, ...(isSuggested && { mediation: 'conditional' as const }) };
  try {
    const found = (await navigator.credentials.get(request)) as PublicKeyCredential | null;
    if (!found) throw new Refusal(t.passkey.failed);
    return found.toJSON() as Assertion;
  } catch (error) {
    if (signal?.aborted) throw signal.reason;
    throw refusalOf(error);
  }
}

/** Creates a passkey. Throws a Refusal if the user cancels. */
export async function newPasskey(options: CreationOptions): Promise<Registration> {
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(
    options as PublicKeyCredentialCreationOptionsJSON,
  );
  try {
    const made = (await navigator.credentials.create({ publicKey })) as PublicKeyCredential | null;
    if (!made) throw new Refusal(t.passkey.failed);
    return made.toJSON() as Registration;
  } catch (error) {
    throw refusalOf(error);
  }
}
