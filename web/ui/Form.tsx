import { type FormEvent, type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { common } from '../strings/en/common.ts';
import { Button } from './Button.tsx';
import { ErrorText } from './ErrorText.tsx';
import { messageOf, problemsOf } from './errors.ts';
import { FieldErrors } from './Field.tsx';
import { problemsIn } from './validity.ts';
import './Form.css';

/** What was typed, by the names of the fields. */
export interface Values {
  /** Of a text, a Select or a Choice, as it stands; '' if there is no such field. */
  text(name: string): string;
  /** As `text`; undefined where it is empty. */
  optional(name: string): string | undefined;
  /** Of a Checkbox or a Switch. */
  isOn(name: string): boolean;
  /** The values of all checkboxes of that name that are on. */
  all(name: string): string[];
}

export interface FormProps {
  /** Does it. What it throws is shown at the fields that a PalaverError names, else at the top; what was typed stays. */
  onSubmit: (values: Values) => Promise<unknown> | unknown;
  /**
   * The text of the button that submits; "Save" unless told. `false`: the children have a `type="submit"` of their own, or nothing
   * is submitted.
   */
  submit?: ReactNode;
  onCancel?: () => void;
  isDanger?: boolean;
  /** The button is as wide as the form: for signing in. */
  isWide?: boolean;
  /** Names the form for those who hear it. */
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

/** Fields, and a button that submits them: pending while it works, with each error at its field and the focus at the first. */
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

  // Found by their names: the fields themselves may learn of their errors a moment later.
  // biome-ignore lint/correctness/useExhaustiveDependencies: at each refusal, also by the same errors
  useLayoutEffect(() => {
    if (refusals === 0) return;
    const first = [...(form.current?.elements ?? [])].find(
      (each) => (each.getAttribute('name') ?? '') in errors,
    );
    ((first as HTMLElement | undefined) ?? top.current)?.focus();
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
    // The browser takes Enter in a lone field for a submit.
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
      <form ref={form} className="form" noValidate aria-label={label} onSubmit={send} onInput={forget}>
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
