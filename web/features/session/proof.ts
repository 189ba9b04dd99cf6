import { session as t } from '../../strings/en/session.ts';
import { createStore } from '../../ui/index.ts';
import { needsProof, Refusal } from './refusal.ts';

/** The question that is open: who waits for its end. */
interface Question {
  promise: Promise<boolean>;
  end: (isProven: boolean) => void;
}

const question = createStore<Question | undefined>(undefined);

/** Asks who the person is. True once they have proven it; several that ask at once share one question. */
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
 * Does something that may need a proof of who the person is: if the server says so, asks for the password or a passkey, and
 * does it once more. Throws what `action` throws, and a Refusal if the person does not want to.
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

/** The question that is open. */
export const useQuestion = (): Question | undefined => question.use();
