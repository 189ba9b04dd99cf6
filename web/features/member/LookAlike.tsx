import type { Records } from '../../api/records.ts';
import { common } from '../../strings/en/common.ts';
import { Badge } from '../../ui/index.ts';

/** Marks a name that looks like another name. The member's profile shows whose name it resembles. */
export const LookAlike = ({ of }: { of: Records['ListedServerMember'] | undefined }) =>
  of?.lookAlike ? <Badge kind="warm">{common.lookAlike}</Badge> : null;
