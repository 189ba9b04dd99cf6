import { type Ref, type TextareaHTMLAttributes, useState } from 'react';
import { ui as t } from '../strings/en/common.ts';
import { Field, type FieldProps } from './Field.tsx';
import { names } from './names.ts';
import './TextArea.css';

type Native = Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, 'name' | 'id' | 'className' | 'children'>;

export interface TextAreaProps extends FieldProps, Native {
  onText?: (text: string) => void;
  /**
   * Maximum length in characters. The remaining count appears once a fifth is left. Longer input is an
   * error; it is not cut off.
   */
  most?: number;
  ref?: Ref<HTMLTextAreaElement>;
}

/** Fallback for browsers without `field-sizing`: sets the height to fit the text. */
function fit(area: HTMLTextAreaElement): void {
  if (CSS.supports('field-sizing', 'content')) return;
  area.style.height = 'auto';
  area.style.height = `${area.scrollHeight + 2}px`;
}

/** A multi-line text field that grows with its text, up to half the window. */
export function TextArea({
  label,
  name,
  hint,
  error,
  isOptional,
  isLabelHidden,
  onText,
  most,
  rows = 3,
  ...native
}: TextAreaProps) {
  const [length, setLength] = useState([...String(native.value ?? native.defaultValue ?? '')].length);
  const left = (most ?? Number.POSITIVE_INFINITY) - length;
  return (
    <Field {...{ label, name, hint, error, isOptional, isLabelHidden }}>
      {(wiring) => (
        <>
          <textarea
            {...native}
            {...wiring}
            rows={rows}
            data-most={most}
            className="control text-area"
            onInput={(event) => {
              const area = event.currentTarget;
              fit(area);
              setLength([...area.value].length);
              onText?.(area.value);
            }}
          />
          {most !== undefined && left < most / 5 && (
            <p
              className={names('tiny muted text-area-left', left < 0 && 'text-area-over')}
              aria-live="polite"
            >
              {left < 0 ? t.over({ count: -left }) : t.left({ count: left })}
            </p>
          )}
        </>
      )}
    </Field>
  );
}
