import { useState } from 'react';
import { toast } from './Toast.tsx';

/** Whether an action is pending, and a function that runs one: it shows errors in a toast instead of throwing. */
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
