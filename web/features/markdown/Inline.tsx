import { type ReactNode, useState } from 'react';
import { isVisible } from '../../../server/src/lib/text/index.ts';
import { siteAddress } from '../../api/base.ts';
import { Link } from '../../Link.tsx';
import { useRow } from '../../replica/hooks.ts';
import { type Route, routeOf } from '../../routes.ts';
import { markdown as t } from '../../strings/en/conversation.ts';
import { addressOf, otherHost } from './links.ts';

type ServerRoute = Extract<Route, { page: 'server' }>;

/** Maximum number of characters shown of a URL. */
const MAX_SHOWN = 200;

interface LinkToProps {
  href: string;
  /** The link's label as plain text. */
  text: string;
  title?: string;
  children?: ReactNode;
}

/** Matches a path to a channel or message in this installation. Imported messages contain such paths. */
const OWN = /^\/s\/[\w-]+\/c\//;

/**
 * A web or mail link. Links to other hosts open in a new tab; links to the client's own pages navigate.
 * URLs with other schemes are rendered as plain text, next to the link's text, so nothing is hidden.
 */
export function LinkTo({ href, text, title = '', children }: LinkToProps) {
  const address = addressOf(OWN.test(href) ? siteAddress() + href : href);
  if (!address)
    return (
      <>
        {children}
        {href !== '' && text.trim() !== href && (
          <span className="markdown-host"> ({href.slice(0, MAX_SHOWN)})</span>
        )}
      </>
    );
  const host = otherHost(address, text);
  const route = address.startsWith(`${siteAddress()}/`) ? routeOf(address) : undefined;
  const about = title === '' ? address : `${title}\n${address}`;
  // A link without text would be invisible.
  const shown = <bdi>{isVisible(text) ? children : address.slice(0, MAX_SHOWN)}</bdi>;
  return (
    <>
      {route && route.page !== 'missing' ? (
        // Client-side navigation keeps the page and its unsaved state.
        <Link to={address.slice(location.origin.length)} title={about}>
          {route.page === 'server' && addressOf(text) === address ? (
            <PlaceName route={route}>{shown}</PlaceName>
          ) : (
            shown
          )}
        </Link>
      ) : (
        <a
          href={address}
          {...(!route && { target: '_blank', rel: 'noopener noreferrer nofollow' })}
          title={about}
        >
          {shown}
        </a>
      )}
      {host !== undefined && <span className="markdown-host"> ({host})</span>}
    </>
  );
}

/**
 * The name of the channel, message or thread that a bare URL links to, with the author if the message is
 * cached. Other URLs are shown unchanged.
 */
function PlaceName({ route, children }: { route: ServerRoute; children: ReactNode }) {
  const messageId = route.replyId ?? route.messageId;
  const channel = useRow('channel', route.channelId);
  const author = useRow('user', useRow('message', messageId)?.creatorId);
  // An unnamed direct message is named after its members, which this module cannot look up.
  if (!channel?.name) return children;
  const name = { channel: channel.name };
  if (messageId !== undefined)
    return <bdi>{author ? t.messageBy({ ...name, name: author.name }) : t.messageIn(name)}</bdi>;
  return <bdi>{route.threadId === undefined ? `#${channel.name}` : t.threadIn(name)}</bdi>;
}

/** Text that is hidden until clicked. */
export function Spoiler({ children }: { children?: ReactNode }) {
  const [isShown, setShown] = useState(false);
  if (isShown) return <span className="markdown-spoiler">{children}</span>;
  return (
    <button type="button" className="markdown-spoiler" aria-label={t.spoiler} onClick={() => setShown(true)}>
      <span aria-hidden="true" inert>
        {children}
      </span>
    </button>
  );
}
