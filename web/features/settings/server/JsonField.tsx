import { useLayoutEffect, useRef, useState } from 'react';
import { serverSettings as t } from '../../../strings/en/serverSettings.ts';
import { TextArea } from '../../../ui/index.ts';
import './jsonField.css';

interface JsonFieldProps {
  name: string;
  label: string;
  hint?: string | undefined;
  /** The initial value; undefined for an empty field. */
  value: unknown;
  /** Called with each valid value; undefined if the field is empty. */
  onValue: (value: unknown) => void;
  /** The error of a value that is valid JSON, or undefined. */
  problemOf?: (value: unknown) => string | undefined;
  isOptional?: boolean | undefined;
  isDisabled?: boolean | undefined;
  rows?: number;
}

/** A JSON field that is validated while the user types. Its form can't be submitted while it is invalid. */
export function JsonField({
  value,
  onValue,
  problemOf,
  isOptional,
  isDisabled,
  rows = 3,
  ...field
}: JsonFieldProps) {
  const area = useRef<HTMLTextAreaElement>(null);
  const [text, setText] = useState(() => (value === undefined ? '' : JSON.stringify(value, null, 2)));
  const [problem, setProblem] = useState<string>();
  useLayoutEffect(() => area.current?.setCustomValidity(problem ?? ''), [problem]);
  function typed(next: string): void {
    setText(next);
    try {
      const parsed: unknown = next.trim() === '' ? undefined : JSON.parse(next);
      const wrong = parsed === undefined && !isOptional ? t.json.missing : problemOf?.(parsed);
      setProblem(wrong);
      if (wrong === undefined) onValue(parsed);
    } catch (error) {
      setProblem(t.json.wrong({ why: (error as Error).message }));
    }
  }
  return (
    <div className="setting-json-field">
      <TextArea
        {...field}
        ref={area}
        error={problem}
        value={text}
        rows={rows}
        spellCheck={false}
        isOptional={isOptional}
        disabled={isDisabled}
        onText={typed}
      />
    </div>
  );
}
