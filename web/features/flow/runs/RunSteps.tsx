import { useEffect, useRef } from 'react';
import { useAsked } from '../../../api/asked.ts';
import { api, type Records } from '../../../api/index.ts';
import { flowRuns as t } from '../../../strings/en/flows.ts';
import { dateTime, duration } from '../../../strings/format.ts';
import { Badge, ErrorText, refusalOf, Spinner } from '../../../ui/index.ts';
import { Facts } from '../../settings/index.ts';
import { Json } from '../../settings/server/index.ts';
import type { Run } from './useRuns.ts';

type Whole = Records['FlowRunWithSteps'];

/** The steps that a run has executed, reloaded when the run changes. */
export function RunSteps({ run: { id, serverId, updatedAt } }: { run: Run }) {
  const { data, error, again } = useAsked<Whole>(id, () => api(serverId).flowRunById({ flowRunId: id }));
  const shown = useRef(updatedAt);
  useEffect(() => {
    if (shown.current === updatedAt) return;
    shown.current = updatedAt;
    void again();
  }, [updatedAt, again]);
  if (error !== undefined) return <ErrorText error={error} onAgain={again} />;
  if (!data) return <Spinner />;
  return (
    <div className="stack flow-run">
      <p className="setting-hint">
        <Facts
          of={[
            t.startedAt({ when: dateTime(data.createdAt) }),
            data.endedAt !== null && t.endedAt({ when: dateTime(data.endedAt) }),
            data.depth > 0 && t.depth({ count: data.depth }),
          ]}
        />
      </p>
      {data.error && <ErrorText>{refusalOf({ message: data.error })}</ErrorText>}
      {hasValue(data.input) && <Value label={t.input} value={data.input} />}
      {data.steps.length === 0 && <p className="setting-hint">{t.noSteps}</p>}
      <StepList steps={data.steps} />
    </div>
  );
}

/** An executed step, as shown in runs and dry runs. */
export interface ShownStep {
  name: string;
  type: string;
  status: 'done' | 'failed' | 'waiting' | 'skipped';
  input: unknown;
  output: unknown;
  error: string | null;
  attempts?: number;
  startedAt?: number;
  endedAt?: number;
}

const kinds = { done: 'good', failed: 'bad', waiting: 'warm', skipped: 'plain' } as const;

/** Executed steps in order, with their inputs and outputs. */
export const StepList = ({ steps }: { steps: readonly ShownStep[] }) =>
  steps.length === 0 ? null : (
    <ol className="stack flow-run-steps">
      {steps.map((step, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: steps are only appended, and `each` repeats their names
        <li key={at} className="flow-run-step">
          <div className="flow-run-step-head">
            <b dir="auto">{step.name}</b>
            <code className="tiny muted">{step.type}</code>
            <Badge kind={kinds[step.status]}>{t.stepStatuses[step.status]}</Badge>
          </div>
          <Times step={step} />
          {step.error && <ErrorText>{refusalOf({ message: step.error })}</ErrorText>}
          {hasValue(step.input) && (
            <Value label={t.inputOf({ at: at + 1, name: step.name })} value={step.input} />
          )}
          {hasValue(step.output) && (
            <Value label={t.outputOf({ at: at + 1, name: step.name })} value={step.output} />
          )}
        </li>
      ))}
    </ol>
  );

function Times({ step: { startedAt, endedAt, attempts = 1 } }: { step: ShownStep }) {
  if (startedAt === undefined || endedAt === undefined) return null;
  return (
    <p className="setting-hint">
      <Facts
        of={[
          dateTime(startedAt),
          endedAt - startedAt >= 1000 && t.took({ time: duration((endedAt - startedAt) / 1000) }),
          attempts > 1 && t.attempts({ count: attempts }),
        ]}
      />
    </p>
  );
}

const hasValue = (value: unknown): boolean =>
  value !== null &&
  value !== undefined &&
  !(typeof value === 'object' && Object.keys(value as object).length === 0);

const Value = ({ label, value }: { label: string; value: unknown }) => (
  <details>
    <summary className="small">{label}</summary>
    <Json value={value} label={label} />
  </details>
);
