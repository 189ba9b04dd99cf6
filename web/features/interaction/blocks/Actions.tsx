import type { Records } from '../../../api/records.ts';
import { useMay } from '../../../may/index.ts';
import { useRow } from '../../../replica/hooks.ts';
import { blocks as t } from '../../../strings/en/writing.ts';
import { ErrorText, refusalOf } from '../../../ui/index.ts';
import { useBeside } from '../../member/index.ts';
import { Outcome } from '../Outcome.tsx';
import { type ApprovalBlock, Decisions, useApproval } from './Approval.tsx';
import { Element, type ElementRow } from './Element.tsx';
import { useActing } from './useActing.ts';

interface ActionsProps {
  message: Records['ShownMessage'];
  blockId: string;
  elements: readonly ElementRow[];
  /** Set for an approval. */
  approval?: ApprovalBlock | undefined;
}

/** The interactive elements of a block, and the outcomes of the user's interactions. */
export function Actions({ message, blockId, elements, approval }: ActionsProps) {
  const { serverId, channelId, creatorId, threadId } = message;
  const acting = useActing(message, blockId);
  const channel = useRow('channel', channelId);
  const thread = useRow('thread', threadId);
  const may = useMay(
    serverId,
    'interaction insert',
    channel && { channel },
    thread ? { lockedThread: { isLocked: thread.locked } } : {},
  );
  const { name } = useBeside(serverId, creatorId, t.somebody);
  const state = useApproval(serverId, approval);
  const refusal = may.allowed ? state.refusal : refusalOf(may);
  return (
    <div className="block-actions">
      <div className="block-elements">
        {elements.map((element) => (
          <Element
            key={element.id}
            element={element}
            acting={acting}
            refusal={refusal}
            isChosen={state.chosen.includes(element.id)}
          />
        ))}
      </div>
      {approval && <Decisions serverId={serverId} approval={approval} />}
      <ErrorText error={acting.error} />
      <Outcome interaction={acting.latest} isSending={acting.sending !== undefined} agent={name} />
    </div>
  );
}
