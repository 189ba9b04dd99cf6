import { useState } from 'react';
import { roleSettings as t } from '../../../strings/en/serverSettings.ts';
import { Checkbox, Field, type Values } from '../../../ui/index.ts';
import './roleDialog.css';

/** The colour in a form: a CSS colour, or null if there is none. */
export const colorIn = (values: Values): string | null =>
  values.isOn('hasColor') ? values.text('color') : null;

/** Colour inputs only accept #rrggbb, but the API accepts any CSS colour. */
const pickable = (value: string | null): string =>
  /^#[\da-f]{6}$/i.test(value ?? '') ? (value as string) : '#3366ff';

/** Selects a colour, or none. */
export function ColorField({ value, isDisabled }: { value: string | null; isDisabled?: boolean }) {
  const [hasColor, setHasColor] = useState(value !== null);
  return (
    <div className="setting-color">
      <Checkbox
        name="hasColor"
        label={t.hasColor}
        isOn={hasColor}
        onChange={setHasColor}
        isDisabled={isDisabled}
      />
      {hasColor && (
        <Field name="color" label={t.color} isLabelHidden>
          {(wiring) => (
            <input
              {...wiring}
              type="color"
              className="setting-color-input"
              defaultValue={pickable(value)}
              disabled={isDisabled}
            />
          )}
        </Field>
      )}
    </div>
  );
}
