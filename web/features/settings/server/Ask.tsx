import type { ComponentProps } from 'react';
import type { Permission } from '../../../may/index.ts';
import { Confirm, toast } from '../../../ui/index.ts';
import { Closed } from '../../settings/index.ts';

interface AskProps extends ComponentProps<typeof Confirm> {
  permission: Permission;
  /** Said once it is done. */
  done?: string;
}

/** Asks before something is done. One who may do it no more, since the question opened, is told so, and has no button that fails. */
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
