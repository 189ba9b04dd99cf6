import { createContext, type ReactNode, useContext, useId } from 'react';
import { ui as t } from '../strings/en/common.ts';
import { Icon } from './Icon.tsx';
import { names } from './names.ts';
import './Field.css';

/** The errors of the form around, by the names of its fields. */
export const FieldErrors = createContext<Readonly<Record<string, string>>>({});

/** What every field takes. */
export interface FieldProps {
  label: ReactNode;
  /** The path of the field in the request's body, such as `name`: finds its value, and its error. */
  name?: string;
  /** A sentence below it. */
  hint?: ReactNode;
  /** What is wrong; by itself from the `Form` around, if `name` is given. */
  error?: string;
  isOptional?: boolean;
  /** The label is there for those who hear it alone. */
  isLabelHidden?: boolean;
}

/** What a control needs to belong to its label, its hint and its error. */
export interface Wiring {
  id: string;
  name: string | undefined;
  'aria-describedby': string | undefined;
  'aria-invalid': true | undefined;
}

/** The wiring of a control, and the error to show. */
export function useField({ name, hint, error }: FieldProps): { wiring: Wiring; error: string | undefined } {
  const id = useId();
  const errors = useContext(FieldErrors);
  const shown = error ?? (name === undefined ? undefined : errors[name]);
  const described = [shown && `${id}-error`, hint && `${id}-hint`].filter(Boolean).join(' ');
  return {
    wiring: {
      id,
      name,
      'aria-describedby': described || undefined,
      'aria-invalid': shown ? true : undefined,
    },
    error: shown,
  };
}

interface FrameProps extends FieldProps {
  /** Makes the control: `(wiring) => <input {...wiring} />`. */
  children: (wiring: Wiring) => ReactNode;
  className?: string;
}

/** A label above a control of any kind, a hint and an error below it. */
export function Field({ children, className, ...field }: FrameProps) {
  const { wiring, error } = useField(field);
  return (
    <div className={names('field', className)}>
      <label className={field.isLabelHidden ? 'only-read' : 'field-label'} htmlFor={wiring.id}>
        {field.label}
        {field.isOptional && <span className="field-optional"> {t.optional}</span>}
      </label>
      {children(wiring)}
      <FieldNotes id={wiring.id} hint={field.hint} error={error} />
    </div>
  );
}

/** The error and the hint of a field. */
export const FieldNotes = ({ id, hint, error }: { id: string; hint?: ReactNode; error?: string }) => (
  <>
    {error && (
      <p className="field-error" id={`${id}-error`}>
        <Icon name="circle-alert" size={16} />
        {error}
      </p>
    )}
    {hint && (
      <p className="field-hint" id={`${id}-hint`}>
        {hint}
      </p>
    )}
  </>
);
