import { useEffect, useLayoutEffect, useState } from 'react';
import { api, loadRefusals } from '../../api/index.ts';
import { takeAhead } from '../../replica/ahead.ts';
import { browserAround } from '../../replica/browser.ts';
import { SessionContext, useConnection } from '../../replica/hooks.ts';
import { startSession } from '../../replica/index.ts';
import type { Route } from '../../routes.ts';
import { language } from '../../strings/format.ts';
import { askAccount, countUnsent, type Myself } from '../session/index.ts';
import { Frame } from './Frame.tsx';

/** The client of somebody who is signed in: it follows their servers as long as it is shown. */
export default function SignedIn({ me, route }: { me: Myself; route: Route }) {
  const [session] = useState(() => startSession({ api, ...browserAround(me.id), ahead: takeAhead(me.id) }));
  const [isHere, setHere] = useState(!session.isNear);
  // Not after a paint, which would be of an empty page.
  useLayoutEffect(() => void session.isNear?.then(() => setHere(true)), [session]);
  useEffect(() => {
    // It has started already, so that the stream opens while the first picture is drawn.
    return () => session.stop();
  }, [session]);
  useEffect(() => {
    // The browser asks whether to leave, where it could not store a message that waits.
    const ask = (event: BeforeUnloadEvent) => {
      if (session.outbox.isUnsafe) event.preventDefault();
    };
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [session]);
  useEffect(() => {
    // What a person may not do says why before anything was refused.
    if (language !== 'en') void loadRefusals();
  }, []);
  useEffect(() => countUnsent(() => session.outbox.unsent), [session]);
  return (
    <SessionContext.Provider value={session}>
      <SessionEnd />
      {isHere && <Frame me={me} route={route} />}
    </SessionContext.Provider>
  );
}

/** Asks anew who is signed in, once the stream was told that the session has ended: elsewhere, or by its time. */
function SessionEnd() {
  const { status } = useConnection();
  useEffect(() => {
    if (status === 'signedOut') askAccount();
  }, [status]);
  return null;
}
