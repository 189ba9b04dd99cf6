import { useState } from 'react';
import { flowEditor as t } from '../../../strings/en/flowEditor.ts';
import { Select, TextField } from '../../../ui/index.ts';
import { eventTypes } from './values.ts';

const OTHER = ' other';

interface EventTypeFieldProps {
  name: string;
  label: string;
  value: string;
  onValue: (type: string) => void;
  isOptional?: boolean | undefined;
  isDisabled?: boolean | undefined;
}

/** The type of an event, selected from a list or typed. */
export function EventTypeField({ name, label, value, onValue, isOptional, isDisabled }: EventTypeFieldProps) {
  const isKnown = value === '' || (eventTypes as readonly string[]).includes(value);
  const [isOther, setOther] = useState(!isKnown);
  const isTyped = isOther || !isKnown;
  return (
    <>
      <Select
        name={isTyped ? undefined : name}
        label={label}
        isOptional={isOptional}
        disabled={isDisabled}
        value={isTyped ? OTHER : value}
        onValue={(next) => {
          setOther(next === OTHER);
          if (next !== OTHER) onValue(next);
        }}
        options={[
          ...(isOptional || value === '' ? [{ value: '', label: t.none }] : []),
          ...eventTypes.map((type) => ({ value: type as string, label: t.events[type] })),
          { value: OTHER, label: t.other },
        ]}
      />
      {isTyped && (
        <TextField
          name={name}
          label={t.otherEvent}
          hint={t.otherEventHint}
          value={value}
          disabled={isDisabled}
          onText={onValue}
        />
      )}
    </>
  );
}
