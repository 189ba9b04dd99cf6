import { useState } from 'react';
import { serverSettings as t } from '../../../strings/en/serverSettings.ts';
import { TextArea, type Values } from '../../../ui/index.ts';
import './jsonField.css';

interface JsonFieldProps {
  name: string;
  label: string;
  hint?: string;
  /** What it holds at first; undefined for nothing. */
  value: unknown;
  /** It has to be a list. */
  isList?: boolean;
  isOptional?: boolean;
  isDisabled?: boolean;
}

/** What is wrong with a text as JSON; undefined if nothing is. */
function jsonProblem(text: string, { isList, isOptional }: { isList?: boolean; isOptional?: boolean }) {
  if (text.trim() === '') return isOptional ? undefined : t.json.missing;
  try {
    const value: unknown = JSON.parse(text);
    return isList && !Array.isArray(value) ? t.json.noList : undefined;
  } catch (error) {
    return t.json.wrong({ why: (error as Error).message });
  }
}

/** The JSON of a field; undefined where it is empty. Throws Error with the words for it if it is not valid. */
export function jsonIn(values: Values, name: string): unknown {
  const text = values.text(name);
  if (text.trim() === '') return undefined;
  try {
    return JSON.parse(text);
  } catch (error) {
    // With a code, so that the form shows the words.
    throw Object.assign(new Error(t.json.wrong({ why: (error as Error).message })), {
      code: 'INVALID_REQUEST',
      details: [{ path: name, message: t.json.wrong({ why: (error as Error).message }) }],
    });
  }
}

/** JSON that is checked as it is typed. */
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
