type Listener = () => void;
const endings = new Set<Listener>();

/** Calls the listener when this browser's session has ended. Returns a function that unsubscribes. */
export function onSignedOut(listener: Listener): () => void {
  endings.add(listener);
  return () => endings.delete(listener);
}

/** Notifies all listeners that this browser's session has ended. */
export function endSession(): void {
  for (const end of [...endings]) end();
}

let isFactorMissing = false;
const factorListeners = new Set<Listener>();

/** True once a request was refused because the user has to set up a second factor first. */
export const factorIsMissing = (): boolean => isFactorMissing;

/** Calls the listener when that happens. Returns a function that unsubscribes. */
export function onFactorMissing(listener: Listener): () => void {
  factorListeners.add(listener);
  return () => factorListeners.delete(listener);
}

/** Notifies all listeners if a refusal with status 403 asks for a second factor. */
export async function noteFactor(refusal: Response): Promise<void> {
  const { error } = await refusal.json().catch(() => ({}));
  if (isFactorMissing || !String(error?.details?.rule).startsWith('secondFactor:')) return;
  isFactorMissing = true;
  for (const listen of [...factorListeners]) listen();
}
