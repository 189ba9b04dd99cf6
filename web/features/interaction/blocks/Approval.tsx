import type { Records } from '../../../api/records.ts';
import { useRows, useServer } from '../../../replica/hooks.ts';
import { blocks as t } from '../../../strings/en/writing.ts';
import { dateTime, shortTime } from '../../../strings/format.ts';
import { Icon } from '../../../ui/index.ts';
import { useBeside, useNamesIn } from '../../member/index.ts';
import { useUserId } from '../../session/index.ts';

export type ApprovalBlock = Records['ShownActionsBlock'];

interface ApprovalState {
  /** The reason why the user cannot decide; undefined if they can. */
  refusal: string | undefined;
  /** The ids of elements that somebody chose. */
  chosen: readonly string[];
}

/** The approval's state for the user. Without an approval, everybody can use the elements. */
export function useApproval(serverId: string, approval: ApprovalBlock | undefined): ApprovalState {
  const userId = useUserId();
  const own = useServer(serverId).state?.standing.roleIds ?? [];
  if (!approval) return { refusal: undefined, chosen: [] };
  const { deciders: { userIds = [], roleIds = [] } = {}, decisions = [], decidedAt } = approval;
  const chosen = decisions.map(({ actionId }) => actionId);
  const isAsked = userIds.includes(userId) || roleIds.some((id) => own.includes(id));
  const refusal =
    decidedAt !== undefined
      ? t.over
      : !isAsked
        ? t.notAsked
        : decisions.some((one) => one.userId === userId)
          ? t.alreadyDecided
          : undefined;
  return { refusal, chosen };
}

/** The decisions so far and, until the approval is decided, all users and roles who are asked to decide. */
export function Decisions({ serverId, approval }: { serverId: string; approval: ApprovalBlock }) {
  const {
    elements,
    deciders: { userIds = [], roleIds = [], rule } = {},
    decisions = [],
    decidedAt,
  } = approval;
  const users = useNamesIn(serverId, userIds, t.somebody);
  const roles = useRows('role', 'serverId', serverId);
  const named = roleIds.flatMap((id) => roles.find((role) => role.id === id)?.name ?? []);
  const names = [...users, ...named.map((name) => `@${name}`)];
  const textOf = (actionId: string) => {
    const element = elements.find(({ id }) => id === actionId);
    return element && 'text' in element ? element.text : actionId;
  };
  return (
    <div className="tiny muted block-decisions" role="status">
      {decisions.map((decision) => (
        <Decision
          key={decision.id}
          serverId={serverId}
          userId={decision.userId}
          choice={textOf(decision.actionId)}
          at={decision.at}
        />
      ))}
      {decidedAt === undefined && names.length > 0 && (
        <p dir="auto">{(rule === 'all' ? t.decideAll : t.decideFirst)({ names })}</p>
      )}
    </div>
  );
}

function Decision(props: { serverId: string; userId: string; choice: string; at: number }) {
  const { serverId, userId, choice, at } = props;
  const { name } = useBeside(serverId, userId, t.somebody);
  return (
    <p dir="auto" title={dateTime(at)}>
      <Icon name="check" size={14} />
      <span>{t.decided({ name, choice, when: shortTime(at) })}</span>
    </p>
  );
}
