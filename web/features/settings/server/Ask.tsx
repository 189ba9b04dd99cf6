import type { ComponentProps } from 'react';
import type { Permission } from '../../../may/index.ts';
import { Confirm, toast } from '../../../ui/index.ts';
import { Closed } from '../../settings/index.ts';

interface AskProps extends ComponentProps<typeof Confirm> {
  permission: Permission;
  /** The text of the toast after success. */
  done?: string;
}

/**
 * A confirmation dialog. If the user loses the permission while it is open, its button is replaced with the
 * reason.
 */
export const Ask = ({ permission, text, action, done, onConfirm, ...rest }: AskProps) => (
  <Confirm
    {...rest}
    text={
      <>
        {text}
        <Closed permission={permission} />
      </>
    }
    action={permission.allowed && action}
    onConfirm={async () => {
      await onConfirm();
      if (done !== undefined) toast.show(done);
    }}
  />
);
