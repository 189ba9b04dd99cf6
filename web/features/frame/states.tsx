import { useEffect, useState } from 'react';
import { Link } from '../../Link.tsx';
import { common, app as t } from '../../strings/en/common.ts';
import { Button, Empty, Spinner } from '../../ui/index.ts';
import './states.css';

/** Milliseconds until something shows that loads: most of the time it is there before. */
const PATIENCE = 300;
/** Milliseconds between two attempts to reach the server. */
const PAUSE = 5000;

/** The picture while the client starts. */
export function Splash() {
  const [isSlow, setSlow] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setSlow(true), PATIENCE);
    return () => clearTimeout(timer);
  }, []);
  return <main className="state-page">{isSlow && <Spinner label={common.loading} />}</main>;
}

/** The picture while the server cannot be reached and nothing is known yet. */
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

/** The picture for an address that leads nowhere. */
export const Missing = () => (
  <main className="state-page">
    <Empty icon="search" title={t.missing} text={t.missingMore} isPage>
      <Link to={{ page: 'home' }}>{t.home}</Link>
    </Empty>
  </main>
);
