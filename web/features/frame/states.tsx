import { useEffect, useState } from 'react';
import { Link } from '../../Link.tsx';
import { common, app as t } from '../../strings/en/common.ts';
import { Button, Empty, Spinner } from '../../ui/index.ts';
import './states.css';

/** Delay in ms before a loading state is shown. Most content arrives earlier. */
const PATIENCE = 300;
/** Interval in ms between attempts to reach the server. */
const PAUSE = 5000;

/** The loading screen while the client starts. */
export function Splash() {
  const [isSlow, setSlow] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setSlow(true), PATIENCE);
    return () => clearTimeout(timer);
  }, []);
  return <main className="state-page">{isSlow && <Spinner label={common.loading} />}</main>;
}

/** The screen shown if the server is unreachable and nothing is loaded. */
export function Unreachable({ retry }: { retry: () => void }) {
  useEffect(() => {
    const timer = setInterval(retry, PAUSE);
    return () => clearInterval(timer);
  }, [retry]);
  return (
    <main className="state-page">
      <Empty icon="wifi-off" title={t.unreachable} text={t.unreachableMore} isPage>
        <Button onClick={retry}>{common.tryAgain}</Button>
      </Empty>
    </main>
  );
}

/** The not-found page. */
export const Missing = () => (
  <main className="state-page">
    <Empty icon="search" title={t.missing} text={t.missingMore} isPage>
      <Link to={{ page: 'home' }}>{t.home}</Link>
    </Empty>
  </main>
);
