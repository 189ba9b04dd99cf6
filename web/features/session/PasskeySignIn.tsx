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

/** Signs in with a passkey: by the button, and by the browser's list at the field of the name, where it has one. */
export function PasskeySignIn() {
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  /** Ends the ceremony that is under way: a page may have one at a time. */
  const current = useRef<AbortController>(undefined);

  async function suggest(): Promise<void> {
    if (!(await canSuggestPasskeys())) return;
    const controller = new AbortController();
    current.current = controller;
    try {
      await signIn(controller.signal, true);
    } catch (reason) {
      // Nobody has asked for it: without it there are still the button and the password.
      if (!controller.signal.aborted && isCodeError(reason)) setError(reason);
    }
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the page opens
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

/** The server's word about a passkey that was chosen, such as one that was removed. */
const isCodeError = (reason: unknown): boolean =>
  reason instanceof Error && (reason as { code?: unknown }).code === 'UNAUTHORIZED';
