import { useAsked } from '../../../api/asked.ts';
import { api, type Records } from '../../../api/index.ts';
import { common } from '../../../strings/en/common.ts';
import { flowRuns as t } from '../../../strings/en/flows.ts';
import { day, number, weekday } from '../../../strings/format.ts';
import { ErrorText } from '../../../ui/index.ts';
import { Bars } from '../../settings/bars/index.ts';
import type { Run } from './useRuns.ts';
import { perDay, startOfWeek } from './week.ts';

/** Maximum pages of 100 runs to count. */
const MOST_PAGES = 20;

interface Counted {
  runs: readonly Run[];
  /** False if there are more runs in the week than were counted. */
  isWhole: boolean;
}

/** Loads the runs of the last seven days, newest first. Throws PalaverError. */
async function runsOfWeek(serverId: string, flowId: string): Promise<Counted> {
  const since = startOfWeek(Date.now());
  const runs: Run[] = [];
  let cursor: string | undefined;
  for (let turn = 0; turn < MOST_PAGES; turn++) {
    const page = await api(serverId).flowRunsByFlow({ flowId, cursor, limit: 100 });
    runs.push(...page.filter(({ createdAt }) => createdAt >= since));
    cursor = page.nextCursor ?? undefined;
    if (cursor === undefined || (page.at(-1)?.createdAt ?? 0) < since) return { runs, isWhole: true };
  }
  return { runs, isWhole: false };
}

interface WeekProps {
  flow: Records['Flow'];
  told: ReadonlyMap<string, Run>;
}

/** The runs of the last seven days as bars, with a table for screen readers. */
export function Week({ flow: { id, serverId }, told }: WeekProps) {
  const { data, error, again } = useAsked<Counted>(id, () => runsOfWeek(serverId, id));
  if (error !== undefined) return <ErrorText error={error} onAgain={again} />;
  const all = new Map([...(data?.runs ?? []).map((run) => [run.id, run] as const), ...told]);
  if (data && all.size === 0) return null;
  const days = perDay(all.values(), Date.now());
  const failed = days.reduce((sum, one) => sum + one.failed, 0);
  const count = days.reduce((sum, one) => sum + one.others, failed);
  return (
    <div className="stack flow-week">
      <p className="setting-lead">{data ? t.week({ count, failed }) : common.loading}</p>
      <Bars
        isToCome={!data}
        caption={t.weekCaption}
        unit={common.date}
        first={t.others}
        second={t.statuses.failed}
        bars={days.map(({ at, failed, others }) => ({
          ...{ at, mark: weekday(at).short, name: day(at), first: others, second: failed },
          tip: t.dayTip({ day: day(at), count: others + failed, failed }),
        }))}
      />
      {data?.isWhole === false && (
        <p className="setting-hint">{t.counted({ count: number(MOST_PAGES * 100) })}</p>
      )}
    </div>
  );
}
