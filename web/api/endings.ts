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
