import { linksIn as urlsIn } from '../../../../server/src/lib/text/index.ts';

/** A message that the text links to. */
export interface LinkedRef {
  serverId: string;
  messageId: string;
}

/** Maximum previews below a message. */
const MOST = 3;

/**
 * The first few messages that the text links to, deduplicated and in order. `refOf` returns the message that
 * a URL points to, or undefined for other URLs.
 */
export function linksIn(content: string, refOf: (url: string) => LinkedRef | undefined): LinkedRef[] {
  const found = new Map<string, LinkedRef>();
  for (const url of urlsIn(content)) {
    const ref = refOf(url);
    if (ref) found.set(ref.messageId, ref);
  }
  return [...found.values()].slice(0, MOST);
}
