import { useState } from 'react';
import { flowEditor as t } from '../../../strings/en/flowEditor.ts';
import { Button, IconButton, TextField } from '../../../ui/index.ts';
import { JsonField } from '../../settings/server/index.ts';
import { isFields } from './draft.ts';
import { TemplateField } from './TemplateField.tsx';
import type { Insertable } from './values.ts';

interface PairsFieldProps {
  name: string;
  label: string;
  value: unknown;
  onValue: (value: unknown) => void;
  values: readonly Insertable[];
  isOptional?: boolean | undefined;
  isDisabled?: boolean | undefined;
}

type Pair = readonly [name: string, value: string];

const pairsOf = (value: unknown): Pair[] | undefined => {
  if (value === undefined || value === null) return [];
  if (!isFields(value)) return undefined;
  const pairs = Object.entries(value);
  return pairs.every((pair): pair is [string, string] => typeof pair[1] === 'string') ? pairs : undefined;
};

/** Name–value pairs as rows; other values as JSON. */
export function PairsField({ name, label, value, onValue, values, isOptional, isDisabled }: PairsFieldProps) {
  const [pairs, setPairs] = useState(() => pairsOf(value));
  if (!pairs) return <JsonField {...{ name, label, value, onValue, isOptional, isDisabled }} />;
  const change = (next: readonly Pair[]) => {
    setPairs([...next]);
    onValue(Object.fromEntries(next.filter(([key]) => key !== '')));
  };
  const put = (at: number, pair: Pair) => change(pairs.map((one, index) => (index === at ? pair : one)));
  return (
    <fieldset className="stack flow-condition">
      <legend className="field-label">{label}</legend>
      {pairs.map(([key, text], at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the names change while they are typed
        <div key={at} className="flow-pair">
          <TextField
            label={t.pairName({ number: at + 1 })}
            value={key}
            disabled={isDisabled}
            onText={(next) => put(at, [next, text])}
          />
          <TemplateField
            name={`${name}.${key}`}
            label={t.pairValue({ number: at + 1 })}
            value={text}
            values={values}
            isDisabled={isDisabled}
            onValue={(next) => put(at, [key, next])}
          />
          {!isDisabled && (
            <IconButton
              size="small"
              icon="x"
              label={t.removePair({ number: at + 1 })}
              onClick={() => change(pairs.filter((_, index) => index !== at))}
            />
          )}
        </div>
      ))}
      {!isDisabled && (
        <div>
          <Button size="small" icon="plus" onClick={() => change([...pairs, ['', '']])}>
            {t.addPair}
          </Button>
        </div>
      )}
    </fieldset>
  );
}
