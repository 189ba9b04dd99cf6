import { type ReactNode, useState } from 'react';
import { markdown as t } from '../../strings/en/markdown.ts';
import { addressOf, otherHost } from './links.ts';

/** A link of the web or of mail, in a new window unless it leads to this server. Others are plain text. */
export function LinkTo({ href, text, children }: { href: string; text: string; children: ReactNode }) {
  const address = addressOf(href);
  if (!address) return <>{children}</>;
  const isOwn = address.startsWith(`${location.origin}/`);
  const host = otherHost(address, text);
  return (
    <>
      <a
        href={address}
        {...(!isOwn && { target: '_blank', rel: 'noopener noreferrer nofollow' })}
        title={address}
      >
        <bdi>{children}</bdi>
      </a>
      {host !== undefined && <span className="markdown-host"> ({host})</span>}
    </>
  );
}

/** Hidden until it is asked for. */
export function Spoiler({ children }: { children: ReactNode }) {
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
