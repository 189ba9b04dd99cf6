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
import { FrameToCome } from './ServerToCome.tsx';

/** The client for a signed-in user. Runs their session while it is mounted. */
export default function SignedIn({ me, route }: { me: Myself; route: Route }) {
  const [session] = useState(() => startSession({ api, ...browserAround(me.id), ahead: takeAhead(me.id) }));
  const [isHere, setHere] = useState(!session.isNear);
  // This is a layout effect, because the page would be empty for a moment if this ran after a paint.
  useLayoutEffect(() => void session.isNear?.then(() => setHere(true)), [session]);
  useEffect(() => {
    // The session was started before the effect, so the stream opens during the first render.
    return () => session.stop();
  }, [session]);
  useEffect(() => {
    // The browser warns the user before they leave if a queued message could not be stored.
    const ask = (event: BeforeUnloadEvent) => {
      if (session.outbox.isUnsafe) event.preventDefault();
    };
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [session]);
  useEffect(() => {
    // Loaded in advance, because disabled actions show translated reasons even if no request has been
    // rejected yet.
    if (language !== 'en') void loadRefusals();
  }, []);
  useEffect(() => countUnsent(() => session.outbox.unsent), [session]);
  return (
    <SessionContext.Provider value={session}>
      <SessionEnd />
      {isHere ? <Frame me={me} route={route} /> : <FrameToCome route={route} />}
    </SessionContext.Provider>
  );
}

/** Checks who is signed in when the stream reports that the session was revoked or expired. */
function SessionEnd() {
  const { status } = useConnection();
  useEffect(() => {
    if (status === 'signedOut') askAccount();
  }, [status]);
  return null;
}
