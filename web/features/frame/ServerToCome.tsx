import { type CSSProperties, useLayoutEffect, useState } from 'react';
import type { Route } from '../../routes.ts';
import { common } from '../../strings/en/common.ts';
import { Skeleton } from '../../ui/index.ts';
import './ServerToCome.css';

interface ServerToComeProps {
  /** The server's name, if it is known before the server has loaded. */
  name: string | undefined;
  isInChannel: boolean;
}

const widths = ['55%', '40%', '65%', '48%', '35%', '70%'];

/** Delay in ms before the skeleton is shown. Most content arrives earlier. */
const PATIENCE = 300;
/** A skeleton that replaces another one within this time, in ms, continues it. */
const GAP = 100;
let begunAt = 0;
let continuesUntil = 0;

/** The rest of the delay, in ms. Negative if the skeleton continues one that has been visible for a while. */
function useWait(): number {
  const [wait] = useState(() => {
    const now = performance.now();
    if (now > continuesUntil) begunAt = now;
    return begunAt + PATIENCE - now;
  });
  useLayoutEffect(() => {
    continuesUntil = 1e12;
    return () => {
      continuesUntil = performance.now() + GAP;
    };
  }, []);
  return wait;
}

/** A skeleton of a server that is loading. It is sized like the content to avoid layout shift. */
export const ServerToCome = ({ name, isInChannel }: ServerToComeProps) => (
  <div
    className={`server-page server-page-in-${isInChannel ? 'channel' : 'list'} server-to-come`}
    style={{ '--wait': `${useWait()}ms` } as CSSProperties}
  >
    <div className="channel-list">
      <p className="server-to-come-name">{name ?? <Skeleton width="9rem" />}</p>
      <div className="server-to-come-channels">
        {widths.map((width) => (
          <Skeleton key={width} width={width} />
        ))}
      </div>
    </div>
    <main className="server-page-main" id="main" tabIndex={-1}>
      <div className="channel-header">
        <Skeleton width="8rem" />
      </div>
      <div className="timeline-loading" role="status" aria-label={common.loading}>
        {widths.map((width) => (
          <div key={width} className="timeline-loading-row">
            <Skeleton width="2.25rem" height="2.25rem" isRound />
            <div>
              <Skeleton width="8rem" />
              <Skeleton width={width} />
            </div>
          </div>
        ))}
      </div>
    </main>
  </div>
);

/** The same skeleton with space for the server rail, while the client itself is loading. */
export const FrameToCome = ({ route }: { route: Route }) => (
  <div className="frame">
    <div className="rail" />
    <ServerToCome name={undefined} isInChannel={route.page === 'server' && route.channelId !== undefined} />
  </div>
);
