import { api } from '../../api/index.ts';
import type { Records } from '../../api/records.ts';
import type { Session } from '../../replica/index.ts';

/** Who reacted with what, as far as one page of the list goes. */
export type Reactors = readonly Records['Reaction'][];

/** Reads who reacted to a message, and puts their names into the replica. Throws PalaverError. */
export function readReactors(session: Session, serverId: string, messageId: string): Promise<Reactors> {
  return session.actions.load(
    () => api(serverId).reactionsByMessageId({ messageId, expand: 'user', limit: 100 }),
    (page) => ({
      user: Object.values(
        (page as { expanded?: { users?: Record<string, Records['User']> } }).expanded?.users ?? {},
      ),
    }),
  );
}
