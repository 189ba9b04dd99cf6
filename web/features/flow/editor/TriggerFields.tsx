import { useState } from 'react';
import { flowEditor as t } from '../../../strings/en/flowEditor.ts';
import { Choice, Select, TextField } from '../../../ui/index.ts';
import { ConditionField } from './ConditionField.tsx';
import type { Draft, Fields } from './draft.ts';
import { JsonValueField } from './JsonValueField.tsx';
import { ScheduleFields } from './ScheduleFields.tsx';
import type { Edits } from './useDraft.ts';
import { eventTypes, valuesOfTrigger } from './values.ts';

const kinds = ['event', 'schedule', 'hook', 'manual'] as const;
const OTHER = ' other';

interface TriggerFieldsProps {
  serverId: string;
  draft: Draft;
  edits: Edits;
  isDisabled: boolean;
}

/** What starts the flow, and the condition on it. */
export function TriggerFields({ serverId, draft, edits, isDisabled }: TriggerFieldsProps) {
  const { trigger } = draft;
  const on = kinds.find((one) => one === trigger.on);
  return (
    <fieldset className="stack flow-trigger">
      <legend className="flow-part">{t.when}</legend>
      <Choice
        label={t.startedBy}
        isLabelHidden
        value={on}
        isDisabled={isDisabled}
        onValue={(next) => edits.trigger(firstTriggers[next]())}
        options={kinds.map((value) => ({ value, label: t.triggers[value] }))}
      />
      {on === undefined && (
        <JsonValueField
          name="trigger"
          label={t.asJson}
          value={trigger}
          isDisabled={isDisabled}
          onValue={(value) => typeof value === 'object' && value !== null && edits.trigger(value as Fields)}
        />
      )}
      {on === 'event' && (
        <EventFields
          {...{ serverId, trigger, isDisabled }}
          values={valuesOfTrigger(draft)}
          onChange={edits.trigger}
        />
      )}
      {on === 'schedule' && <ScheduleFields {...{ trigger, isDisabled }} onChange={edits.trigger} />}
      {on === 'hook' && <p className="setting-hint">{t.hookMore({ field: '{{input.name}}' })}</p>}
      {on === 'manual' && <p className="setting-hint">{t.manualMore}</p>}
    </fieldset>
  );
}

const firstTriggers: Record<(typeof kinds)[number], () => Fields> = {
  event: () => ({ on: 'event', type: 'message.created' }),
  schedule: () => ({
    on: 'schedule',
    cron: '0 9 * * 1-5',
    timeZone: new Intl.DateTimeFormat().resolvedOptions().timeZone,
  }),
  hook: () => ({ on: 'hook' }),
  manual: () => ({ on: 'manual' }),
};

interface EventFieldsProps {
  serverId: string;
  trigger: Fields;
  values: ReturnType<typeof valuesOfTrigger>;
  onChange: (trigger: Fields) => void;
  isDisabled: boolean;
}

function EventFields({ serverId, trigger, values, onChange, isDisabled }: EventFieldsProps) {
  const type = String(trigger.type ?? '');
  const isKnown = (eventTypes as readonly string[]).includes(type);
  const [isOther, setOther] = useState(!isKnown);
  return (
    <>
      <Select
        name={isOther ? undefined : 'trigger.type'}
        label={t.event}
        disabled={isDisabled}
        value={isOther ? OTHER : type}
        onValue={(next) => {
          setOther(next === OTHER);
          if (next !== OTHER) onChange({ on: 'event', type: next });
        }}
        options={[
          ...eventTypes.map((value) => ({ value: value as string, label: t.events[value] })),
          { value: OTHER, label: t.other },
        ]}
      />
      {isOther && (
        <TextField
          name="trigger.type"
          label={t.otherEvent}
          hint={t.otherEventHint}
          value={type}
          disabled={isDisabled}
          onText={(next) => onChange({ ...trigger, type: next })}
        />
      )}
      <ConditionField
        {...{ serverId, values, isDisabled }}
        name="trigger.where"
        label={t.onlyIf}
        value={trigger.where}
        onValue={(where) => onChange({ ...trigger, where })}
      />
    </>
  );
}
