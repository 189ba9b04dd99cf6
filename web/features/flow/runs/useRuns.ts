import { useEffect, useState } from 'react';
import { api, type Records } from '../../../api/index.ts';
import { type Pages, usePages } from '../../../api/pages.ts';
import { useSession } from '../../../replica/hooks.ts';

export type Run = Records['FlowRun'];
export type RunStatus = Run['status'];

/** The maximum number of runs kept from events. Older runs are loaded in pages. */
const MOST = 500;

/** The latest records of a flow's runs, by id, from events since the component mounted. */
export function useToldRuns(flowId: string): ReadonlyMap<string, Run> {
  const session = useSession();
  const [told, setTold] = useState<ReadonlyMap<string, Run>>(new Map());
  useEffect(
    () =>
      session.onEvent(({ type, data }) => {
        if (!type.startsWith('flowRun.') || (data as Run).flowId !== flowId) return;
        const run = data as Run;
        setTold((before) => new Map([...before, [run.id, run] as const].slice(-MOST)));
      }),
    [session, flowId],
  );
  return told;
}

/** A flow's runs, optionally with a certain status, newest first and kept up to date. */
export function useRuns(
  { id: flowId, serverId }: Pick<Records['Flow'], 'id' | 'serverId'>,
  status: RunStatus | undefined,
  told: ReadonlyMap<string, Run>,
): { pages: Pages<Run>; runs: readonly Run[] } {
  const pages = usePages(`${flowId} ${status}`, (cursor) =>
    api(serverId).flowRunsByFlow({ flowId, cursor, limit: 50, ...(status && { status }) }),
  );
  const read = pages.rows ?? [];
  const byId = new Map(read.map((run) => [run.id, run]));
  // A page may contain newer records than the events received before it.
  for (const [id, run] of told) if (run.updatedAt >= (byId.get(id)?.updatedAt ?? 0)) byId.set(id, run);
  const oldest = pages.hasMore ? (read.at(-1)?.id ?? '') : '';
  const runs = [...byId.values()]
    .filter((run) => run.id >= oldest && (status === undefined || run.status === status))
    .sort((one, other) => (one.id > other.id ? -1 : 1));
  return { pages, runs: pages.rows ? runs : [] };
}
