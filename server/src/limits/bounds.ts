/**
 * Default limits on the resources that clients may hold on one node at the same time. Each is also a setting
 * with the same name. Tenants share the limits of the node (`TenantShares`).
 */
export const defaultBounds = {
  /** Requests in flight, excluding streams and uploads. */
  requests: 2_000,
  /** Open event streams. */
  streams: 20_000,
  /** Open event streams of one user. */
  streamsPerUser: 1_000,
  /** Megabytes of responses that clients have not read yet. One user gets at most a quarter. */
  unreadMegabytes: 256,
  /** Concurrent uploads. */
  uploads: 32,
  /** Concurrent uploads of one user. */
  uploadsPerUser: 4,
  /** Concurrent exports of personal data. Each scans large tables. */
  exports: 4,
  /** Concurrent exports of one person's data. */
  exportsPerUser: 1,
  /** Maximum size of the files in an export through a running node, in megabytes. */
  exportMegabytes: 50_000,
  /** Maximum size of the archive for an import through a running node, in megabytes. */
  importMegabytes: 10_000,
};

export type Bounds = typeof defaultBounds;

/** The limits on the flows of one server; 0 for no limit. */
export interface FlowBounds {
  /** Runs started per minute. */
  runsPerMinute: number;
  /** Steps that write data, per minute. */
  writesPerMinute: number;
  /** Waiting runs. */
  waiting: number;
}

export const defaultFlowBounds: FlowBounds = { runsPerMinute: 60, writesPerMinute: 600, waiting: 1_000 };
