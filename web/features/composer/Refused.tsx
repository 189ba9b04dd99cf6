import type { Permission } from '../../may/index.ts';
import { composer as t } from '../../strings/en/conversation.ts';
import { Icon, refusalOf } from '../../ui/index.ts';

interface RefusedProps {
  permission: Permission;
  isLocked: boolean;
  isReadonly: boolean;
}

/** Shown instead of the text field if the user may not post, with the reason. */
export function Refused({ permission, isLocked, isReadonly }: RefusedProps) {
  const { need } = permission;
  const isForModerators = need.includes('canModerate') && !need.includes('canEditData');
  const [title, more] =
    isLocked && isForModerators
      ? [t.locked, t.lockedMore]
      : isReadonly && isForModerators
        ? [t.readonly, t.readonlyMore]
        : [t.mayNot, need.length > 0 ? refusalOf(permission) : t.mayNotMore];
  return (
    <div className="small muted composer-refused" role="note">
      <Icon name={isForModerators ? 'lock' : 'ban'} />
      <p>
        <b>{title}.</b> {more}
      </p>
    </div>
  );
}
