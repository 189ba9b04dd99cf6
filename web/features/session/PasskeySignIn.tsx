import { useEffect, useRef, useState } from 'react';
import { api } from '../../api/index.ts';
import { session as t } from '../../strings/en/session.ts';
import { Button, ErrorText } from '../../ui/index.ts';
import { askAccount } from './account.ts';
import { canSuggestPasskeys, hasPasskeys, passkeyAnswer } from './passkey.ts';

async function signIn(signal: AbortSignal, isSuggested: boolean): Promise<void> {
  const options = await api('none').passkeySignInOptions();
  const passkey = await passkeyAnswer(options, { isSuggested, signal });
  await api('none').passkeySignIn({ passkey });
  await askAccount();
}

/** Passkey sign-in, with a button and with the browser's autofill in the username field. */
export function PasskeySignIn() {
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  /** Aborts the ceremony in progress: a page can have only one at a time. */
  const current = useRef<AbortController>(undefined);

  async function suggest(): Promise<void> {
    if (!(await canSuggestPasskeys())) return;
    const controller = new AbortController();
    current.current = controller;
    try {
      await signIn(controller.signal, true);
    } catch (reason) {
      // Autofill is optional: if it fails, the button and the password still work.
      if (!controller.signal.aborted && isCodeError(reason)) setError(reason);
    }
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once, on mount
  useEffect(() => {
    suggest();
    return () => current.current?.abort();
  }, []);

  async function start(): Promise<void> {
    current.current?.abort();
    const controller = new AbortController();
    current.current = controller;
    setError(undefined);
    setBusy(true);
    try {
      await signIn(controller.signal, false);
    } catch (reason) {
      if (!controller.signal.aborted) setError(reason);
    }
    setBusy(false);
  }

  if (!hasPasskeys()) return null;
  return (
    <>
      <Button icon="fingerprint" isWide isPending={isBusy} onClick={start}>
        {t.passkey.signIn}
      </Button>
      <ErrorText error={error} />
    </>
  );
}

/** True if the server rejected the chosen passkey, for example because it was removed. */
const isCodeError = (reason: unknown): boolean =>
  reason instanceof Error && (reason as { code?: unknown }).code === 'UNAUTHORIZED';
