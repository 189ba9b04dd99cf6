import { memo } from 'react';
import { ownTimeZone } from '../../../strings/calendar.ts';
import { flowEditor as t } from '../../../strings/en/flowEditor.ts';
import { Select } from '../../../ui/index.ts';
import { JsonField } from '../../settings/server/index.ts';
import { ConditionField } from './ConditionField.tsx';
import { type Fields, isFields } from './draft.ts';
import { EventTypeField } from './EventTypeField.tsx';
import { ButtonFields, CommandFields } from './InteractionFields.tsx';
import { ScheduleFields } from './ScheduleFields.tsx';
import { triggerKinds, valuesOfTrigger } from './values.ts';

type Kind = (typeof triggerKinds)[number];
const OTHER = ' other';

interface TriggerFieldsProps {
  serverId: string;
  trigger: Fields;
  onChange: (trigger: Fields) => void;
  isDisabled: boolean;
}

/** The fields of the flow's trigger, with its condition. */
export const TriggerFields = memo(function TriggerFields(props: TriggerFieldsProps) {
  const { trigger, onChange, isDisabled } = props;
  const on = triggerKinds.find((one) => one === trigger.on);
  return (
    <fieldset className="stack flow-trigger">
      <legend className="flow-part">{t.when}</legend>
      <Select
        label={t.startedBy}
        value={on ?? OTHER}
        disabled={isDisabled}
        onValue={(next) => next !== OTHER && onChange(firstTriggers[next as Kind]())}
        options={[
          ...triggerKinds.map((value) => ({ value: value as string, label: t.triggers[value] })),
          ...(on === undefined ? [{ value: OTHER, label: String(trigger.on) }] : []),
        ]}
      />
      {on === undefined && (
        <JsonField
          name="trigger"
          label={t.asJson}
          value={trigger}
          isDisabled={isDisabled}
          problemOf={(value) => (isFields(value) ? undefined : t.jsonObject)}
          onValue={(value) => onChange(value as Fields)}
        />
      )}
      {on === 'event' && <EventFields {...props} values={valuesOfTrigger({ trigger })} />}
      {on === 'schedule' && <ScheduleFields {...props} />}
      {on === 'command' && <CommandFields {...props} />}
      {on === 'button' && <ButtonFields {...props} />}
      {on === 'hook' && <p className="setting-hint">{t.hookMore({ field: '{{input.name}}' })}</p>}
      {on === 'manual' && <p className="setting-hint">{t.manualMore}</p>}
    </fieldset>
  );
});

const firstTriggers: Record<Kind, () => Fields> = {
  event: () => ({ on: 'event', type: 'message.created' }),
  schedule: () => ({
    on: 'schedule',
    cron: '0 9 * * 1-5',
    timeZone: ownTimeZone(),
  }),
  command: () => ({ on: 'command', command: '' }),
  button: () => ({ on: 'button', actionId: '' }),
  hook: () => ({ on: 'hook' }),
  manual: () => ({ on: 'manual' }),
};

interface EventFieldsProps extends TriggerFieldsProps {
  values: ReturnType<typeof valuesOfTrigger>;
}

const EventFields = ({ serverId, trigger, values, onChange, isDisabled }: EventFieldsProps) => (
  <>
    <EventTypeField
      name="trigger.type"
      label={t.event}
      value={String(trigger.type ?? '')}
      isDisabled={isDisabled}
      onValue={(type) => onChange({ on: 'event', type })}
    />
    <ConditionField
      {...{ serverId, values, isDisabled }}
      name="trigger.where"
      label={t.onlyIf}
      value={trigger.where}
      isOptional
      onValue={(where) => onChange({ ...trigger, where })}
    />
  </>
);
