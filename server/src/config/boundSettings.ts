import { wholeNumber } from '../lib/settings.ts';
import { defaultBounds, defaultFlowBounds } from '../limits/bounds.ts';

/**
 * The limits on the resources (except uploads) that clients may hold on one node at the same time, and the
 * maximum sizes of exports and imports.
 */
export const boundSettings = {
  requests: {
    env: 'PALAVER_REQUESTS',
    default: defaultBounds.requests,
    about: 'Maximum concurrent requests per node, not counting event streams and uploads',
    parse: wholeNumber(4, 1_000_000),
  },
  streams: {
    env: 'PALAVER_STREAMS',
    default: defaultBounds.streams,
    about: 'Maximum open event streams per node',
    parse: wholeNumber(1, 1_000_000),
  },
  streamsPerUser: {
    env: 'PALAVER_STREAMS_PER_USER',
    default: defaultBounds.streamsPerUser,
    about: 'Maximum open event streams per user and node',
    parse: wholeNumber(1, 1_000_000),
  },
  unreadMegabytes: {
    env: 'PALAVER_UNREAD_MEGABYTES',
    default: defaultBounds.unreadMegabytes,
    about:
      'Maximum megabytes of response data that clients have not read yet; one user can account for at most a quarter',
    parse: wholeNumber(16, 65_536),
  },
  exports: {
    env: 'PALAVER_EXPORTS',
    default: defaultBounds.exports,
    about: 'Maximum concurrent data exports per node',
    parse: wholeNumber(1, 1_000),
  },
  exportsPerUser: {
    env: 'PALAVER_EXPORTS_PER_USER',
    default: defaultBounds.exportsPerUser,
    about: 'Maximum concurrent data exports per person and node',
    parse: wholeNumber(1, 100),
  },
  exportMegabytes: {
    env: 'PALAVER_EXPORT_MEGABYTES',
    default: defaultBounds.exportMegabytes,
    about: 'Maximum size of an export that the running server writes, in megabytes',
    parse: wholeNumber(1, 10_000_000),
  },
  importMegabytes: {
    env: 'PALAVER_IMPORT_MEGABYTES',
    default: defaultBounds.importMegabytes,
    about: 'Maximum size of an archive that is imported through the running server, in megabytes',
    parse: wholeNumber(1, 10_000_000),
  },
};

/** The limits on each server's flows. */
export const flowSettings = {
  flowRunsPerMinute: {
    env: 'PALAVER_FLOW_RUNS_PER_MINUTE',
    default: defaultFlowBounds.runsPerMinute,
    about: 'Maximum flow runs started per minute and server; additional runs are queued. 0 for no limit',
    parse: wholeNumber(0, 1_000_000),
  },
  flowWritesPerMinute: {
    env: 'PALAVER_FLOW_WRITES_PER_MINUTE',
    default: defaultFlowBounds.writesPerMinute,
    about:
      'Maximum flow steps that write data, per minute and server; additional steps are queued. 0 for no limit',
    parse: wholeNumber(0, 10_000_000),
  },
  flowWaiting: {
    env: 'PALAVER_FLOW_WAITING',
    default: defaultFlowBounds.waiting,
    about: 'Maximum waiting flow runs per server; additional runs fail. 0 for no limit',
    parse: wholeNumber(0, 10_000_000),
  },
};
