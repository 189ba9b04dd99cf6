import { type FormEvent, type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { common } from '../strings/en/common.ts';
import { Button } from './Button.tsx';
import { ErrorText } from './ErrorText.tsx';
import { messageOf, problemsOf } from './errors.ts';
import { FieldErrors } from './Field.tsx';
import { problemsIn } from './validity.ts';
import './Form.css';

/** The submitted values, by field name. */
export interface Values {
  /** The value of a text field, Select or Choice, as typed. Empty if there is no such field. */
  text(name: string): string;
  /** Like `text`, but undefined if the value is empty. */
  optional(name: string): string | undefined;
  /** The state of a Checkbox or Switch. */
  isOn(name: string): boolean;
  /** The values of all checked checkboxes with this name. */
  all(name: string): string[];
}

export interface FormProps {
  /**
   * Submits the form. A thrown PalaverError is shown at the fields it names, any other error at the top.
   * The input is kept.
   */
  onSubmit: (values: Values) => Promise<unknown> | unknown;
  /**
   * The label of the submit button; "Save" by default. With `false`, the children contain their own
   * `type="submit"`, or the form cannot be submitted.
   */
  submit?: ReactNode;
  onCancel?: () => void;
  isDanger?: boolean;
  /** Makes the button take the full width, as for signing in. */
  isWide?: boolean;
  /** The accessible name of the form. */
  label?: string;
  children: ReactNode;
}

const valuesOf = (form: HTMLFormElement): Values => {
  const data = new FormData(form);
  const text = (name: string) => String(data.get(name) ?? '');
  return {
    text,
    optional: (name) => text(name) || undefined,
    isOn: (name) => data.has(name),
    all: (name) => data.getAll(name).map(String),
  };
};

/**
 * Fields with a submit button, which shows that the submission is pending. Shows each error at its field, opens the
 * `<details>` around it, and focuses the first invalid field.
 */
export function Form({
  onSubmit,
  submit = common.save,
  onCancel,
  isDanger,
  isWide,
  label,
  children,
}: FormProps) {
  const form = useRef<HTMLFormElement>(null);
  const top = useRef<HTMLDivElement>(null);
  const [errors, setErrors] = useState<Record<string, string>>({});
  const [error, setError] = useState<string>();
  const [isPending, setPending] = useState(false);
  const [refusals, setRefusals] = useState(0);
  const isThere = useRef(true);
  useEffect(() => {
    isThere.current = true;
    return () => {
      isThere.current = false;
    };
  }, []);

  // Finds the fields by name, because the fields themselves may receive their errors a moment later.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs at each refusal, even if the errors are the same
  useLayoutEffect(() => {
    if (refusals === 0) return;
    const fields = [...(form.current?.elements ?? [])] as HTMLInputElement[];
    const wrong = fields.filter(({ name }) => name in errors);
    for (const each of wrong) each.closest('details')?.setAttribute('open', '');
    (wrong[0] ?? top.current)?.focus();
  }, [refusals]);

  function refuse(byField: Record<string, string>, whole?: string): void {
    setErrors(byField);
    setError(whole);
    setRefusals((count) => count + 1);
  }

  function refuseWith(reason: unknown, element: HTMLFormElement): void {
    const byField: Record<string, string> = {};
    const others: string[] = [];
    for (const { path, message } of problemsOf(reason))
      if (path && element.elements.namedItem(path)) byField[path] ??= message;
      else others.push(path ? `${path}: ${message}` : message);
    const isAtFields = Object.keys(byField).length > 0;
    refuse(byField, others.length > 0 ? others.join('\n') : isAtFields ? undefined : messageOf(reason));
  }

  async function send(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    event.stopPropagation();
    if (isPending) return;
    const element = event.currentTarget;
    // Browsers submit a form with a single field on Enter, even without a submit button.
    if (!element.querySelector('[type="submit"]')) return;
    const problems = problemsIn(element);
    if (Object.keys(problems).length > 0) return refuse(problems);
    setErrors({});
    setError(undefined);
    setPending(true);
    try {
      await onSubmit(valuesOf(element));
    } catch (reason) {
      if (isThere.current) refuseWith(reason, element);
    } finally {
      if (isThere.current) setPending(false);
    }
  }

  function forget(event: FormEvent<HTMLFormElement>): void {
    const { name } = event.target as HTMLInputElement;
    if (name in errors) setErrors(({ [name]: _, ...others }) => others);
  }

  return (
    <FieldErrors value={errors}>
      <form ref={form} className="stack form" noValidate aria-label={label} onSubmit={send} onInput={forget}>
        {error && <ErrorText ref={top}>{error}</ErrorText>}
        {children}
        {submit !== false && (
          <div className={isWide ? 'form-foot form-foot-wide' : 'form-foot'}>
            {onCancel && (
              <Button kind="quiet" onClick={onCancel}>
                {common.cancel}
              </Button>
            )}
            <Button type="submit" kind={isDanger ? 'danger' : 'main'} isPending={isPending}>
              {submit}
            </Button>
          </div>
        )}
      </form>
    </FieldErrors>
  );
}
