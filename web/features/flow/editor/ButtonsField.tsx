import { flowEditor as t } from '../../../strings/en/flowEditor.ts';
import { Button, IconButton, TextField } from '../../../ui/index.ts';
import { JsonField } from '../../settings/server/index.ts';
import { type Fields, isFields } from './draft.ts';

interface ButtonsFieldProps {
  name: string;
  label: string;
  value: unknown;
  onValue: (value: unknown) => void;
  isDisabled?: boolean | undefined;
}

const buttonsIn = (value: unknown): readonly Fields[] | undefined => {
  if (value === undefined) return [];
  return Array.isArray(value) && value.every(isFields) ? value : undefined;
};

/** The answers to a question. Each has a label, and an id that later steps refer to. */
export function ButtonsField({ name, label, value, onValue, isDisabled }: ButtonsFieldProps) {
  const buttons = buttonsIn(value);
  if (!buttons) return <JsonField {...{ name, label, value, onValue, isDisabled }} />;
  const put = (at: number, changes: Fields) =>
    onValue(buttons.map((one, index) => (index === at ? { ...one, ...changes } : one)));
  return (
    <fieldset className="stack flow-condition">
      <legend className="field-label">{label}</legend>
      {buttons.map(({ id, text }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the ids change while they are typed
        <div key={at} className="flow-pair">
          <TextField
            name={`${name}[${at}].text`}
            label={t.buttonText({ number: at + 1 })}
            value={String(text ?? '')}
            disabled={isDisabled}
            onText={(next) => put(at, { text: next })}
          />
          <TextField
            name={`${name}[${at}].id`}
            label={t.buttonId({ number: at + 1 })}
            value={String(id ?? '')}
            disabled={isDisabled}
            onText={(next) => put(at, { id: next })}
          />
          {!isDisabled && (
            <IconButton
              size="small"
              icon="x"
              label={t.removeButton({ number: at + 1 })}
              onClick={() => onValue(buttons.filter((_, index) => index !== at))}
            />
          )}
        </div>
      ))}
      {!isDisabled && (
        <div>
          <Button
            size="small"
            icon="plus"
            onClick={() => onValue([...buttons, { id: `answer-${buttons.length + 1}`, text: '' }])}
          >
            {t.addButton}
          </Button>
        </div>
      )}
    </fieldset>
  );
}
