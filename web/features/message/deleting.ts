import { api, type Records } from '../../api/index.ts';
import { common } from '../../strings/en/common.ts';
import { message as t } from '../../strings/en/conversation.ts';
import { confirm, toast } from '../../ui/index.ts';
import { stopEditing } from '../editing/index.ts';

async function remove({ id, serverId }: Records['ShownMessage']): Promise<void> {
  // Stops editing before the deletion's event arrives, which would otherwise notify the user of their own
  // deletion.
  stopEditing(id);
  await api(serverId).messageDelete({ messageId: id });
}

/** Asks for confirmation, then deletes a message. The event removes it from the page. */
export const askToDelete = (message: Records['ShownMessage']): void =>
  confirm.ask({
    title: t.deleteTitle,
    text: t.deleteText,
    action: common.delete,
    isDanger: true,
    onConfirm: () => remove(message),
  });

/** Deletes a message without confirmation. */
export const deleteAtOnce = (message: Records['ShownMessage']): void =>
  void remove(message).catch((error) => toast.error(error));
