import type { Records } from '../../api/records.ts';

export interface SidePanelProps {
  channel: Records['Channel'];
  /** The thread that is open; it lies above the panel, to which one comes back. */
  threadId: string | undefined;
  /** The reply in it to which the address leads. */
  replyId: string | undefined;
  panel: string | undefined;
  /** The words of the search. */
  words: string | undefined;
}
