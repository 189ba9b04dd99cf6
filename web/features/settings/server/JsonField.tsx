import { useState } from 'react';
import { serverSettings as t } from '../../../strings/en/serverSettings.ts';
import { TextArea, type Values } from '../../../ui/index.ts';
import './jsonField.css';

interface JsonFieldProps {
  name: string;
  label: string;
  hint?: string;
  /** The initial value; undefined for an empty field. */
  value: unknown;
  /** Requires the value to be an array. */
  isList?: boolean;
  isOptional?: boolean;
  isDisabled?: boolean;
}

/** The validation error for a JSON text. Undefined if the text is valid. */
function jsonProblem(text: string, { isList, isOptional }: { isList?: boolean; isOptional?: boolean }) {
  if (text.trim() === '') return isOptional ? undefined : t.json.missing;
  try {
    const value: unknown = JSON.parse(text);
    return isList && !Array.isArray(value) ? t.json.noList : undefined;
  } catch (error) {
    return t.json.wrong({ why: (error as Error).message });
  }
}

/**
 * Parses a JSON field. Returns undefined if it is empty. Throws an Error, which the form shows at the
 * field, if the JSON is invalid.
 */
export function jsonIn(values: Values, name: string): unknown {
  const text = values.text(name);
  if (text.trim() === '') return undefined;
  try {
    return JSON.parse(text);
  } catch (error) {
    // Forms show errors with this code at their fields.
    throw Object.assign(new Error(t.json.wrong({ why: (error as Error).message })), {
      code: 'INVALID_REQUEST',
      details: [{ path: name, message: t.json.wrong({ why: (error as Error).message }) }],
    });
  }
}

/** A JSON field that is validated while the user types. */
export function JsonField({ name, label, hint, value, isList, isOptional, isDisabled }: JsonFieldProps) {
  const [problem, setProblem] = useState<string>();
  return (
    <div className="setting-json-field">
      <TextArea
        name={name}
        label={label}
        hint={hint}
        error={problem}
        defaultValue={value === undefined ? '' : JSON.stringify(value, null, 2)}
        rows={5}
        spellCheck={false}
        isOptional={isOptional}
        disabled={isDisabled}
        onText={(text) => setProblem(jsonProblem(text, { isList, isOptional }))}
      />
    </div>
  );
}
