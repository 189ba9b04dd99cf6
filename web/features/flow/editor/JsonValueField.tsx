import { useState } from 'react';
import { serverSettings } from '../../../strings/en/serverSettings.ts';
import { TextArea } from '../../../ui/index.ts';

interface JsonValueFieldProps {
  name: string;
  label: string;
  hint?: string;
  value: unknown;
  /** Called with each value that the text is JSON for; undefined if it is empty. */
  onValue: (value: unknown) => void;
  isOptional?: boolean | undefined;
  isDisabled?: boolean | undefined;
  rows?: number;
}

/** A value as JSON. While the text is not JSON, the value stays and the field says why. */
export function JsonValueField({ value, onValue, isDisabled, rows = 3, ...field }: JsonValueFieldProps) {
  const [text, setText] = useState(value === undefined ? '' : JSON.stringify(value, null, 2));
  const [error, setError] = useState<string>();
  function typed(next: string): void {
    setText(next);
    try {
      onValue(next.trim() === '' ? undefined : JSON.parse(next));
      setError(undefined);
    } catch (reason) {
      setError(serverSettings.json.wrong({ why: (reason as Error).message }));
    }
  }
  return (
    <div className="setting-json-field">
      <TextArea
        {...field}
        error={error}
        value={text}
        rows={rows}
        disabled={isDisabled}
        spellCheck={false}
        onText={typed}
      />
    </div>
  );
}
