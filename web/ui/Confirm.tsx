import type { ReactNode } from 'react';
import { useState } from 'react';
import { ui as t } from '../strings/en/common.ts';
import { Dialog } from './Dialog.tsx';
import { Form } from './Form.tsx';
import { openDialog } from './openDialog.tsx';
import { TextField } from './TextField.tsx';
import { WithName } from './WithName.tsx';

export interface ConfirmProps {
  title: ReactNode;
  /** The consequences of the action. */
  text: ReactNode;
  /** The verb on the button, such as "Delete channel". False if the action is currently impossible. */
  action: string | false;
  isDanger?: boolean;
  /** Text that the user has to type first, such as the name of the resource to delete permanently. */
  typed?: string;
  /** Performs the action. The dialog stays open while it is pending, shows its error, and closes on success. */
  onConfirm: () => Promise<unknown> | unknown;
}

/** A confirmation dialog, open as long as it is rendered. Cancelling and a successful action call `onClose`. */
export function Confirm({
  title,
  text,
  action,
  isDanger,
  typed,
  onConfirm,
  onClose,
}: ConfirmProps & { onClose: () => void }) {
  const [isBusy, setBusy] = useState(false);
  async function run(): Promise<void> {
    setBusy(true);
    try {
      await onConfirm();
      onClose();
    } finally {
      setBusy(false);
    }
  }
  return (
    <Dialog title={title} size="s" isBusy={isBusy} onClose={onClose}>
      <Form submit={action} isDanger={isDanger} onCancel={onClose} onSubmit={run}>
        <div className="confirm-text">{text}</div>
        {typed !== undefined && (
          <TextField
            label={<WithName words={t.typeToConfirm} values={{ text: typed }} />}
            name="typed"
            required
            pattern={typed.replaceAll(/[\^$\\.*+?()[\]{}|/]/g, '\\$&')}
            data-wrong={t.typeExactly({ text: typed })}
            spellCheck={false}
          />
        )}
      </Form>
    </Dialog>
  );
}

/**
 * Opens a confirmation from anywhere, such as a menu's `onSelect`: `confirm.ask({ title, text, action, isDanger: true,
 * onConfirm })`.
 */
export const confirm = {
  ask: (asked: ConfirmProps): void => openDialog((close) => <Confirm {...asked} onClose={close} />),
};
