import { api, type Records } from '../../api/index.ts';
import type { Session } from '../../replica/index.ts';

type Saved = Records['Saved'];

/** Saves a message, or changes its reminder. Null removes the reminder. Rejects with PalaverError. */
export const save = ({ actions, replica }: Session, messageId: string, remindAt?: number | null) =>
  actions.load(
    () => api('none').savedInsert({ messageId, ...(remindAt !== undefined && { remindAt }) }),
    (row) => ({ saved: [{ ...replica.row('saved', row.id), ...row }] }),
  );

/** Removes a saved message. Its event updates the replica. Rejects with PalaverError. */
export const removeSaved = async ({ id }: Pick<Saved, 'id'>): Promise<void> => {
  await api('none').savedDelete({ id });
};
