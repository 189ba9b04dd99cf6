import { createContext, type ReactNode, useContext, useId } from 'react';
import { ui as t } from '../strings/en/common.ts';
import { Icon } from './Icon.tsx';
import { names } from './names.ts';
import './Field.css';

/** The errors of the surrounding form, by field name. */
export const FieldErrors = createContext<Readonly<Record<string, string>>>({});

export interface FieldProps {
  label: ReactNode;
  /** The field's path in the request body, such as `name`. Identifies its value and its error. */
  name?: string;
  /** Help text below the field. */
  hint?: ReactNode;
  /** The error. If `name` is given, the surrounding `Form` provides it. */
  error?: string;
  isOptional?: boolean;
  /** Shows the label to screen readers only. */
  isLabelHidden?: boolean;
}

/** Props that connect a control to its label, hint and error. */
export interface Wiring {
  id: string;
  name: string | undefined;
  'aria-describedby': string | undefined;
  'aria-invalid': true | undefined;
}

/** Returns the props of a control and the error to show. */
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
  /** Renders the control: `(wiring) => <input {...wiring} />`. */
  children: (wiring: Wiring) => ReactNode;
  className?: string;
}

/** A label above any control, with a hint and an error below. */
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
