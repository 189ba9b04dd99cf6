import type { ComponentProps } from 'react';
import type { Permission } from '../../../may/index.ts';
import { Confirm } from '../../../ui/index.ts';
import { Closed } from '../index.ts';

interface AskProps extends ComponentProps<typeof Confirm> {
  permission: Permission;
}

/** Asks before something is done. One who may do it no more, since the question opened, is told so, and has no button that fails. */
export const Ask = ({ permission, text, action, ...rest }: AskProps) => (
  <Confirm
    {...rest}
    text={
      <>
        {text}
        <Closed permission={permission} />
      </>
    }
    action={permission.allowed && action}
  />
);
