type Listener = () => void;
const endings = new Set<Listener>();

/** Calls the listener when the session of this browser has ended. Returns what takes it away. */
export function onSignedOut(listener: Listener): () => void {
  endings.add(listener);
  return () => endings.delete(listener);
}

/** Tells all who listen that the session of this browser has ended. */
export function endSession(): void {
  for (const end of [...endings]) end();
}
