import { api } from '../../../api/index.ts';
import type { Session } from '../../../replica/index.ts';
import { block as t } from '../../../strings/en/account.ts';
import { confirm, toast, WithName } from '../../../ui/index.ts';

interface Named {
  id: string;
  name: string;
}

/** Asks for confirmation, then blocks a user. */
export const askToBlock = ({ actions }: Session, { id: userId, name }: Named): void =>
  confirm.ask({
    title: <WithName words={t.ask} values={{ name }} />,
    text: t.askMore,
    action: t.block,
    isDanger: true,
    onConfirm: () =>
      actions.load(
        () => api('none').blockInsert({ userId }),
        (row) => ({ block: [row] }),
      ),
  });

/** Unblocks a user. The replica removes the row when it gets the event. Rejects with PalaverError. */
export async function unblock({ id: userId, name }: Named): Promise<void> {
  await api('none').blockDelete({ userId });
  toast.show(t.unblocked({ name }));
}
