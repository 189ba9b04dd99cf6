import type { Person, Records } from '../../api/index.ts';
import { session as t } from '../../strings/en/session.ts';
import { Refusal } from './refusal.ts';

// `toJSON` gives what the server takes, as it is.
type Assertion = Parameters<Person['passkeySignIn']>[0]['passkey'];
type Registration = Parameters<Person['passkeyInsert']>[0]['passkey'];
type RequestOptions = Records['PasskeyRequestOptions'];
type CreationOptions = Records['PasskeyCreationOptions'];

/** True where the browser has passkeys: over TLS and at localhost, under a name and not under an address of numbers. */
export const hasPasskeys = (): boolean =>
  isSecureContext &&
  typeof PublicKeyCredential === 'function' &&
  typeof PublicKeyCredential.parseRequestOptionsFromJSON === 'function' &&
  !/^[\d.]+$|^\[/.test(location.hostname);

/** True where the browser offers passkeys in the list that it shows at the field of a name. */
export const canSuggestPasskeys = async (): Promise<boolean> =>
  hasPasskeys() && ((await PublicKeyCredential.isConditionalMediationAvailable?.()) ?? false);

/** A ceremony that did not happen, in words. The browser tells by intent little of why. */
function refusalOf(error: unknown): Error {
  if (!(error instanceof DOMException)) return error as Error;
  if (error.name === 'InvalidStateError') return new Refusal(t.passkey.hasOne);
  if (error.name === 'NotAllowedError' || error.name === 'AbortError') return new Refusal(t.passkey.stopped);
  return new Refusal(t.passkey.failed);
}

/**
 * Lets the browser answer the options of a sign-in or a proof, by a passkey. With `isSuggested` it waits until the person chooses one
 * in the field of the name. Throws a Refusal if it was stopped, the reason of the signal if that was aborted.
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

/** Lets the browser make a passkey. Throws a Refusal if it was stopped. */
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
