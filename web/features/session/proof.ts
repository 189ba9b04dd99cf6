import { session as t } from '../../strings/en/session.ts';
import { createStore } from '../../ui/index.ts';
import { needsProof, Refusal } from './refusal.ts';

/** The open dialog, and the promise of its outcome. */
interface Question {
  promise: Promise<boolean>;
  end: (isProven: boolean) => void;
}

const question = createStore<Question | undefined>(undefined);

/**
 * Asks the user to confirm their identity. Resolves with true if they did. Concurrent calls share one
 * dialog.
 */
function prove(): Promise<boolean> {
  const open = question.get();
  if (open) return open.promise;
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const end = (isProven: boolean) => {
    question.set(undefined);
    resolve(isProven);
  };
  question.set({ promise, end });
  return promise;
}

/**
 * Runs an action that may require a confirmed identity. If the server requires it, asks for the password or
 * a passkey, then retries once. Throws the action's errors, and a Refusal if the user cancels.
 */
export async function withProof<T>(action: () => PromiseLike<T>): Promise<T> {
  try {
    return await action();
  } catch (error) {
    if (!needsProof(error)) throw error;
    if (!(await prove())) throw new Refusal(t.notProven);
    return await action();
  }
}

/** The open dialog. */
export const useQuestion = (): Question | undefined => question.use();
