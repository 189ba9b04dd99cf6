import { useState } from 'react';
import { toast } from './Toast.tsx';

/** Whether something is under way, and a function that does it: it says what was thrown, and does not throw itself. */
export function usePending(): [isPending: boolean, run: (act: () => unknown) => Promise<void>] {
  const [isPending, setPending] = useState(false);
  const run = async (act: () => unknown) => {
    setPending(true);
    try {
      await act();
    } catch (error) {
      toast.error(error);
    }
    setPending(false);
  };
  return [isPending, run];
}
