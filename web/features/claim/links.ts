import { siteAddress } from '../../api/base.ts';
import { api, type Records } from '../../api/index.ts';
import { patiently } from '../../api/patiently.ts';
import { withProof } from '../session/index.ts';

export type MadeLink = Records['ClaimLinks']['links'][number];

/** Users per request. */
const AT_ONCE = 100;

/** Creates links for users. Skips users who have been claimed. Throws PalaverError. */
export async function linksFor(ids: string[]): Promise<MadeLink[]> {
  return (await withProof(() => api('none').platformUserLinks({ ids }))).links;
}

export const addressOf = ({ path }: MadeLink): string => siteAddress() + path;

/** Creates links for all unclaimed people of a server. `onCount` gets the number of links so far. Throws PalaverError. */
export async function allLinks(
  serverId: string,
  signal: AbortSignal,
  onCount: (count: number) => void,
): Promise<MadeLink[]> {
  const made: MadeLink[] = [];
  let cursor: string | undefined;
  do {
    const filter = { unclaimed: true, serverId, limit: AT_ONCE, ...(cursor && { cursor }) };
    const page = await patiently(() => api('none').platformUsers(filter), signal);
    if (signal.aborted) break;
    const ids = page.map(({ id }) => id);
    if (ids.length > 0) made.push(...(await patiently(() => linksFor(ids), signal)));
    onCount(made.length);
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined && !signal.aborted);
  return made;
}

/** Adds an apostrophe to names that a spreadsheet would evaluate as formulas. */
const cell = (text: string): string => `"${text.replace(/^[=+\-@\t\r]/, "'$&").replaceAll('"', '""')}"`;

/** The links as a CSV file (RFC 4180). */
export const csvOf = (links: readonly MadeLink[]): string =>
  [
    ['username', 'name', 'link', 'expires'],
    ...links.map((link) => [
      link.username,
      link.name,
      addressOf(link),
      new Date(link.expiresAt).toISOString(),
    ]),
  ]
    .map((cells) => `${cells.map(cell).join(',')}\r\n`)
    .join('');
