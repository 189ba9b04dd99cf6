import { common } from '../../strings/en/common.ts';
import { Skeleton } from '../../ui/index.ts';
import './ServerToCome.css';

interface ServerToComeProps {
  /** The server's name, if it is known before the server has loaded. */
  name: string | undefined;
  isInChannel: boolean;
}

const channels = ['55%', '40%', '65%', '48%', '35%', '58%'];
const messages = ['70%', '45%', '82%', '60%', '38%', '74%', '52%'];

/** A skeleton of a server that is loading. It is sized like the content to avoid layout shift. */
export const ServerToCome = ({ name, isInChannel }: ServerToComeProps) => (
  <div className={`server-page server-page-in-${isInChannel ? 'channel' : 'list'} server-to-come`}>
    <div className="channel-list">
      <p className="server-to-come-name">{name ?? <Skeleton width="9rem" />}</p>
      <div className="server-to-come-channels">
        {channels.map((width) => (
          <Skeleton key={width} width={width} />
        ))}
      </div>
    </div>
    <main className="server-page-main" id="main" tabIndex={-1}>
      <div className="channel-header">
        <Skeleton width="8rem" />
      </div>
      <div className="timeline-loading" role="status" aria-label={common.loading}>
        {messages.map((width) => (
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
