import { Listeners } from './listeners.ts';

const endings = new Listeners();

/**
 * Calls the listener when this browser's session has expired or was revoked. Returns a function that
 * unsubscribes.
 */
export const onSignedOut = (listener: () => void): (() => void) => endings.add(listener);

/** Notifies all listeners that this browser's session has expired or was revoked. */
export const endSession = (): void => endings.tell();

let isFactorMissing = false;
const factors = new Listeners();

/** True once a request was rejected because the user must first set up two-factor authentication. */
export const factorIsMissing = (): boolean => isFactorMissing;

/**
 * Calls the listener when a request is rejected because two-factor authentication is missing. Returns a
 * function that unsubscribes.
 */
export const onFactorMissing = (listener: () => void): (() => void) => factors.add(listener);

/** Notifies all listeners if an error with status 403 asks for two-factor authentication. */
export async function noteFactor(refusal: Response): Promise<void> {
  const { error } = await refusal.json().catch(() => ({}));
  if (isFactorMissing || !String(error?.details?.rule).startsWith('secondFactor:')) return;
  isFactorMissing = true;
  factors.tell();
}
