import { useEffect, useState } from 'react';
import { api, type Records } from '../../api/index.ts';
import { useConnection, useSession } from '../../replica/hooks.ts';

type Invitation = Records['Invitation'];

/** A person can have up to 100 open invitations, which fit on one page. */
const MOST = 100;

const isOpen = ({ expiresAt }: Invitation): boolean => expiresAt > Date.now();

/**
 * The user's open invitations, oldest first. Loaded whenever the connection is live again, because events may have
 * been missed, and then kept current by events.
 */
export function useInvitations(): readonly Invitation[] {
  const session = useSession();
  const isLive = useConnection().status === 'live';
  const [all, setAll] = useState<readonly Invitation[]>([]);
  useEffect(() => {
    if (!isLive) return;
    let isOver = false;
    /** Changes since the request, which may be missing from its response. */
    const since = new Map<string, Invitation | undefined>();
    const merged = (rows: readonly Invitation[]) => {
      const known = new Map<string, Invitation | undefined>(rows.map((row) => [row.id, row]));
      for (const [id, row] of since) known.set(id, row);
      const open = [...known.values()].filter((row) => row !== undefined).filter(isOpen);
      return open.sort((one, other) => (one.id < other.id ? -1 : 1));
    };
    const end = session.onEvent((event) => {
      if (event.type !== 'invitation.created' && event.type !== 'invitation.deleted') return;
      const row = event.data;
      since.set(row.id, event.type === 'invitation.created' ? row : undefined);
      setAll(merged);
    });
    api('none')
      .invitations({ limit: MOST })
      .then(
        (rows) => isOver || setAll(merged(rows)),
        // The next connection reloads the invitations.
        () => undefined,
      );
    return () => {
      isOver = true;
      end();
    };
  }, [session, isLive]);
  return all;
}
