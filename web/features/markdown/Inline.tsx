import { type ReactNode, useState } from 'react';
import { isVisible } from '../../../server/src/lib/text/index.ts';
import { siteAddress } from '../../api/base.ts';
import { Link } from '../../Link.tsx';
import { routeOf } from '../../routes.ts';
import { markdown as t } from '../../strings/en/conversation.ts';
import { addressOf, otherHost } from './links.ts';

/** Characters of an address that are shown in a text. */
const MAX_SHOWN = 200;

interface LinkToProps {
  href: string;
  /** The text of the label. */
  text: string;
  title?: string;
  children?: ReactNode;
}

/**
 * A web or mail link. Links to other hosts open in a new tab; links to the client's own pages navigate.
 * URLs with other schemes are rendered as plain text, next to the link's text, so nothing is hidden.
 */
export function LinkTo({ href, text, title = '', children }: LinkToProps) {
  const address = addressOf(href);
  if (!address)
    return (
      <>
        {children}
        {href !== '' && text.trim() !== href && (
          <span className="markdown-host"> ({href.slice(0, MAX_SHOWN)})</span>
        )}
      </>
    );
  const isOwn = address.startsWith(`${siteAddress()}/`);
  const host = otherHost(address, text);
  const about = title === '' ? address : `${title}\n${address}`;
  // A link without text would be invisible.
  const shown = <bdi>{isVisible(text) ? children : address.slice(0, MAX_SHOWN)}</bdi>;
  return (
    <>
      {isOwn && routeOf(address).page !== 'missing' ? (
        // Client-side navigation keeps the page and its unsaved state.
        <Link to={address.slice(location.origin.length)} title={about}>
          {shown}
        </Link>
      ) : (
        <a
          href={address}
          {...(!isOwn && { target: '_blank', rel: 'noopener noreferrer nofollow' })}
          title={about}
        >
          {shown}
        </a>
      )}
      {host !== undefined && <span className="markdown-host"> ({host})</span>}
    </>
  );
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
