import { ofServer, type Row, type Table } from './facts.ts';

interface FlowRow extends Row {
  serverId: string;
  name: string;
  description: string | null;
  enabled: boolean;
  /** Palaver runs a `flow`. A `note` is only read by other programs. */
  kind: 'flow' | 'note';
  trigger: unknown;
  steps: unknown;
  /** The trigger's `on`; null for a note. */
  triggeredBy: string | null;
  creatorId: string;
  /** The agent and the role with which the flow acts; null for a note. */
  userId: string | null;
  roleId: string | null;
  /** The user who last saved the flow. It is limited by their permissions. */
  makerId: string | null;
  /** Why Palaver turned the flow off; null if a member did. */
  disabledReason: string | null;
  /** SHA-256 of the token in the flow's webhook URL, in hexadecimal. */
  digest: string | null;
  /**
   * Whether the flow has, or had, a step that waits for an event. Runs are matched against events only in
   * servers with such a flow.
   */
  waitsForEvents: boolean;
}

export const flow: Table<FlowRow> = {
  key: ['id'],
  inExportOf: {
    creatorId: { isOfServer: true, isScanned: true },
    makerId: { isOfServer: true, isScanned: true },
  },
  json: ['trigger', 'steps'],
  // Nodes cache which flows are enabled.
  decidesAuthority: { of: 'serverId', byInsert: 'serverId' },
  goesWith: ofServer,
  outlives: { roleId: 'the flow is turned off, and needs a new role' },
  neverTaken: { digest: 'tokens are random' },
};
