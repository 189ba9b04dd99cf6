import { flowEditor as t } from '../../../strings/en/flowEditor.ts';
import { ConditionField, type ConditionFieldProps } from './ConditionField.tsx';
import { isFields } from './draft.ts';
import { EventTypeField } from './EventTypeField.tsx';
import { valuesOfEvent } from './values.ts';

/** An event that a step waits for, and a condition on the event. */
export function AwaitedField({ name, label, value, onValue, isDisabled, ...props }: ConditionFieldProps) {
  const { type, where } = isFields(value) ? value : {};
  return (
    <>
      <EventTypeField
        name={`${name}.type`}
        label={label}
        value={String(type ?? '')}
        isOptional
        isDisabled={isDisabled}
        onValue={(next) => onValue(next === '' ? undefined : { type: next })}
      />
      {type !== undefined && (
        <ConditionField
          {...props}
          name={`${name}.where`}
          label={t.onlyIf}
          value={where}
          isOptional
          values={valuesOfEvent(type)}
          isDisabled={isDisabled}
          onValue={(next) => onValue({ type, ...(next !== undefined && { where: next }) })}
        />
      )}
    </>
  );
}
