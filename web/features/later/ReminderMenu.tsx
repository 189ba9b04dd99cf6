import { useSession } from '../../replica/hooks.ts';
import type { Session } from '../../replica/index.ts';
import { saved as t } from '../../strings/en/writing.ts';
import { type Anchor, type MenuItem, MenuList, openDialog, toast } from '../../ui/index.ts';
import { save } from './calls.ts';
import { TimeDialog } from './TimeDialog.tsx';
import { mornings, reminderTimes, when } from './times.ts';

async function remind(session: Session, messageId: string, at: number | null): Promise<void> {
  await save(session, messageId, at);
  toast.show(at === null ? t.unset : t.set({ when: when(at) }), { kind: 'good' });
}

interface ReminderMenuProps {
  messageId: string;
  /** The current reminder. */
  remindAt: number | null;
  anchor: Anchor;
  onClose: () => void;
}

/** A menu of reminder times for a message. Choosing one also saves the message. */
export function ReminderMenu({ messageId, remindAt, anchor, onClose }: ReminderMenuProps) {
  const session = useSession();
  const set = (at: number | null) => void remind(session, messageId, at).catch(toast.error);
  const now = Date.now();
  const times = Object.entries(reminderTimes(now)) as [keyof ReturnType<typeof reminderTimes>, number][];
  const items: MenuItem[] = [
    { heading: t.remind },
    ...times.map(([name, at]): MenuItem => ({ label: t.in[name], note: when(at), onSelect: () => set(at) })),
    {
      label: t.in.custom,
      icon: 'calendar',
      onSelect: () =>
        openDialog((close) => (
          <TimeDialog
            title={t.remind}
            action={t.setAction}
            name="remindAt"
            first={remindAt ?? mornings(now).tomorrow}
            onTime={(at) => remind(session, messageId, at)}
            onClose={close}
          />
        )),
    },
    remindAt !== null && 'line',
    remindAt !== null && { label: t.removeReminder, icon: 'bell-off', onSelect: () => set(null) },
  ];
  return <MenuList label={t.remind} items={items} anchor={anchor} placement="below-end" onClose={onClose} />;
}
