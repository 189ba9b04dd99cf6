import { useState } from 'react';
import { ownTimeZone, timeZoneOptions, weekdayName } from '../../../strings/calendar.ts';
import { flowEditor as t } from '../../../strings/en/flowEditor.ts';
import { Select, TextField } from '../../../ui/index.ts';
import { cronOf, type Plan, planOf, repeats, timeOf } from './cron.ts';
import type { Fields } from './draft.ts';

/** The weekdays, numbered as in cron. */
const days = [1, 2, 3, 4, 5, 6, 0].map((day) => ({ value: String(day), label: weekdayName(day) }));

interface ScheduleFieldsProps {
  trigger: Fields;
  onChange: (trigger: Fields) => void;
  isDisabled: boolean;
}

/** A schedule as a repetition with a time, or as a cron expression, with a time zone. */
export function ScheduleFields({ trigger, onChange, isDisabled }: ScheduleFieldsProps) {
  const cron = String(trigger.cron ?? '');
  const timeZone = String(trigger.timeZone ?? ownTimeZone());
  const plan = planOf(cron);
  const [isCron, setCron] = useState(plan === undefined);
  const put = (next: Partial<Plan>) =>
    onChange({
      ...trigger,
      timeZone,
      cron: cronOf({ ...(plan ?? { repeat: 'daily', weekday: 1, hour: 9, minute: 0 }), ...next }),
    });
  return (
    <div className="flow-schedule">
      <Select
        label={t.repeat}
        disabled={isDisabled}
        value={isCron || !plan ? 'cron' : plan.repeat}
        onValue={(next) => {
          setCron(next === 'cron');
          if (next !== 'cron') put({ repeat: next });
        }}
        options={[
          ...repeats.map((value) => ({ value, label: t.repeats[value] })),
          { value: 'cron' as const, label: t.repeats.cron },
        ]}
      />
      {plan && !isCron && <PlanFields {...{ plan, isDisabled }} onPlan={put} />}
      {(isCron || !plan) && (
        <TextField
          name="trigger.cron"
          label={t.cron}
          hint={t.cronHint}
          value={cron}
          spellCheck={false}
          disabled={isDisabled}
          onText={(next) => onChange({ ...trigger, timeZone, cron: next })}
        />
      )}
      <Select
        name="trigger.timeZone"
        label={t.timeZone}
        disabled={isDisabled}
        value={timeZone}
        onValue={(next) => onChange({ ...trigger, timeZone: next })}
        options={timeZoneOptions(timeZone)}
      />
    </div>
  );
}

interface PlanFieldsProps {
  plan: Plan;
  onPlan: (plan: Partial<Plan>) => void;
  isDisabled: boolean;
}

function PlanFields({ plan, onPlan, isDisabled }: PlanFieldsProps) {
  const { repeat, minute } = plan;
  if (repeat === 'hourly')
    return (
      <TextField
        name="trigger.cron"
        label={t.minute}
        type="number"
        min={0}
        max={59}
        value={minute}
        disabled={isDisabled}
        onText={(text) => onPlan({ minute: Math.min(59, Math.max(0, Math.trunc(Number(text)))) })}
      />
    );
  return (
    <>
      {repeat === 'weekly' && (
        <Select
          label={t.weekday}
          disabled={isDisabled}
          value={String(plan.weekday)}
          onValue={(day) => onPlan({ weekday: Number(day) })}
          options={days}
        />
      )}
      <TextField
        name="trigger.cron"
        label={t.time}
        type="time"
        value={timeOf(plan)}
        required
        disabled={isDisabled}
        onText={(text) => {
          const [hour, minute] = text.split(':').map(Number);
          if (hour !== undefined && minute !== undefined) onPlan({ hour, minute });
        }}
      />
    </>
  );
}
