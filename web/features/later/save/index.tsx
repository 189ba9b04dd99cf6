import type { Session } from '../../../replica/index.ts';
import { navigate } from '../../../routes.ts';
import { saved as t } from '../../../strings/en/writing.ts';
import { openDialog, toast } from '../../../ui/index.ts';
import { removeSaved, save } from '../calls.ts';
import { ReminderMenu } from '../ReminderMenu.tsx';

/** Saves a message for later, or removes it from the saved messages. Rejects with PalaverError. */
export async function toggleSaved(session: Session, messageId: string): Promise<void> {
  const [known] = session.replica.rows('saved', 'messageId', messageId);
  if (known) {
    await removeSaved(known);
    toast.show(t.removed);
    return;
  }
  await save(session, messageId);
  const view = { label: t.view, onSelect: () => navigate({ page: 'later', section: 'saved' }) };
  toast.show(t.saved, { kind: 'good', action: view });
}

/** Opens a menu with times for a reminder, anchored to the focused row or else to the message. */
export function askForReminder(session: Session, messageId: string): void {
  const current = (document.activeElement?.closest('[data-message]') ??
    document.querySelector(`[data-message="${messageId}"]`)) as HTMLElement | null;
  const [known] = session.replica.rows('saved', 'messageId', messageId);
  openDialog((close) => (
    <ReminderMenu
      messageId={messageId}
      remindAt={known?.remindAt ?? null}
      anchor={{ current }}
      onClose={close}
    />
  ));
}
