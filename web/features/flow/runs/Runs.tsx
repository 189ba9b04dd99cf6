import { useState } from 'react';
import { api, type Records } from '../../../api/index.ts';
import { type Permission, useMay } from '../../../may/index.ts';
import { flowRuns as t } from '../../../strings/en/flows.ts';
import { ago, dateTime, duration } from '../../../strings/format.ts';
import { Badge, Button, Dialog, Select, toast, WithName } from '../../../ui/index.ts';
import { usePending } from '../../../ui/usePending.ts';
import { Closed, Facts, Row, Rows } from '../../settings/index.ts';
import { RunSteps } from './RunSteps.tsx';
import { type Run, type RunStatus, useRuns, useToldRuns } from './useRuns.ts';
import { Week } from './Week.tsx';
import './runs.css';

const statuses = ['running', 'waiting', 'done', 'failed', 'cancelled'] as const satisfies RunStatus[];

const kinds = {
  running: 'blue',
  waiting: 'warm',
  done: 'good',
  failed: 'bad',
  cancelled: 'plain',
} as const satisfies Record<RunStatus, string>;

interface RunsProps {
  flow: Records['Flow'];
  onClose: () => void;
}

/** The runs of a flow, with their steps, and the number of runs on each of the last seven days. */
export default function Runs({ flow, onClose }: RunsProps) {
  const { id, serverId, name, kind, enabled } = flow;
  const may = useMay(serverId, 'flow update');
  const told = useToldRuns(id);
  const [status, setStatus] = useState<RunStatus | ''>('');
  const { pages, runs } = useRuns(flow, status || undefined, told);
  const [isPending, run] = usePending();
  const start = (before?: Records['FlowRunWithSteps']) =>
    run(async () => {
      const { input, eventId } = before ?? {};
      await api(serverId).flowRun({ id, ...(before && { input: input ?? {} }), ...(eventId && { eventId }) });
      toast.show(t.started, { kind: 'good' });
    });
  const mayStart = may.allowed && kind === 'flow' && enabled;
  return (
    <Dialog title={<WithName words={t.title} values={{ name }} />} size="l" onClose={onClose}>
      <div className="setting-rows-frame">
        <Closed permission={may} what={t.valuesClosed} />
        <Week flow={flow} told={told} />
        <div className="flow-runs-bar">
          <Select
            label={t.status}
            value={status}
            onValue={setStatus}
            options={[
              { value: '', label: t.all },
              ...statuses.map((value) => ({ value, label: t.statuses[value] })),
            ]}
          />
          {mayStart && (
            <Button icon="play" isPending={isPending} onClick={() => start()}>
              {t.runNow}
            </Button>
          )}
        </div>
        <Rows
          label={t.runs}
          pages={{ ...pages, isReading: pages.isAsking }}
          count={runs.length}
          empty={{ icon: 'zap', title: t.none, text: t.noneMore }}
        >
          {runs.map((one) => (
            <RunRow key={one.id} run={one} may={may} onAgain={mayStart && start} />
          ))}
        </Rows>
      </div>
    </Dialog>
  );
}

interface RunRowProps {
  run: Run;
  may: Permission;
  /** Starts another run with the same input and event. False if the flow cannot run. */
  onAgain: ((before: Records['FlowRunWithSteps']) => void) | false;
}

function RunRow({ run, may, onAgain }: RunRowProps) {
  const { createdAt, endedAt, wakeAt, status, isLate, trigger } = run;
  const [isOpen, setOpen] = useState(false);
  return (
    <Row
      title={<span title={dateTime(createdAt)}>{ago(createdAt)}</span>}
      badges={
        <>
          <Badge kind={kinds[status]}>{t.statuses[status]}</Badge>
          {isLate && <Badge kind="warm">{t.late}</Badge>}
        </>
      }
      note={
        <Facts
          of={[
            t.triggers[trigger as keyof typeof t.triggers] ?? trigger,
            endedAt !== null &&
              endedAt - createdAt >= 1000 &&
              t.took({ time: duration((endedAt - createdAt) / 1000) }),
            wakeAt !== null && endedAt === null && t.wakes({ when: dateTime(wakeAt) }),
          ]}
        />
      }
      actions={
        <>
          {may.allowed && <RunActions run={run} onAgain={onAgain} />}
          <Button
            size="small"
            kind="quiet"
            icon={isOpen ? 'chevron-down' : 'chevron-right'}
            aria-expanded={isOpen}
            onClick={() => setOpen(!isOpen)}
          >
            {t.steps}
          </Button>
        </>
      }
    >
      {isOpen && <RunSteps run={run} />}
    </Row>
  );
}

/** Cancels a run, resumes a failed one, or starts another with the same input. */
function RunActions({ run, onAgain }: Pick<RunRowProps, 'run' | 'onAgain'>) {
  const { id, serverId, status, endedAt } = run;
  const [isPending, act] = usePending();
  const change = (ask: () => Promise<unknown>, done: string) =>
    act(async () => {
      await ask();
      toast.show(done, { kind: 'good' });
    });
  const again = () =>
    act(async () => {
      const before = await api(serverId).flowRunById({ flowRunId: id });
      if (onAgain) onAgain(before);
    });
  return (
    <>
      {endedAt === null && (
        <Button
          size="small"
          icon="x"
          isPending={isPending}
          onClick={() => change(() => api(serverId).flowRunCancel({ id }), t.cancelled)}
        >
          {t.cancel}
        </Button>
      )}
      {status === 'failed' && (
        <Button
          size="small"
          icon="rotate-ccw"
          isPending={isPending}
          onClick={() => change(() => api(serverId).flowRunRetry({ id }), t.retried)}
        >
          {t.retry}
        </Button>
      )}
      {endedAt !== null && onAgain && (
        <Button size="small" icon="play" isPending={isPending} onClick={again}>
          {t.again}
        </Button>
      )}
    </>
  );
}
