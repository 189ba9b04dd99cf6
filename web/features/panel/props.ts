import type { Records } from '../../api/records.ts';

export interface SidePanelProps {
  channel: Records['Channel'];
  /** The open thread, which is stacked on the panel. */
  threadId: string | undefined;
  /** The reply that the URL links to. */
  replyId: string | undefined;
  panel: string | undefined;
  /** The search query. */
  words: string | undefined;
}
