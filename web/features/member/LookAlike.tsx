import type { Records } from '../../api/records.ts';
import { common } from '../../strings/en/common.ts';
import { Badge } from '../../ui/index.ts';

/** Marks a name that looks like somebody else's. The member's profile says whose. */
export const LookAlike = ({ of }: { of: Records['ListedServerMember'] | undefined }) =>
  of?.lookAlike ? <Badge kind="warm">{common.lookAlike}</Badge> : null;
