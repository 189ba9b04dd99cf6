import type { Flag } from '../lib/flags.ts';

/** Maximum wait, in seconds and in milliseconds. */
export const MAX_WAIT_SECONDS = 30 * 24 * 60 * 60;
export const MAX_WAIT_MS = MAX_WAIT_SECONDS * 1_000;

/** The kinds of fields in steps. Texts are templates unless noted. */
export type FieldKind =
  /** The id of a record. */
  | 'id'
  | 'text'
  /** The name of a secret; not a template. */
  | 'name'
  /** A URL with a literal host. */
  | 'url'
  /** JSON whose texts are templates. */
  | 'json'
  /** An object whose values are texts. */
  | 'texts'
  /** An object whose values are JSON with templates. */
  | 'values'
  | 'flag'
  /** A list, or a template that inserts one. */
  | 'list'
  | 'condition'
  /** An event to wait for: `type`, with a condition in `where`. */
  | 'event'
  /** Buttons: a list of `id`, `text` and `style`. */
  | 'buttons'
  /** A form: `text`, `title`, `submit` and `fields`, as in blocks. */
  | 'form'
  | 'steps'
  | { readonly from: number; readonly to: number }
  /** One of these words; not a template. */
  | readonly string[];

export interface Field {
  kind: FieldKind;
  /** The description of the field in the documentation. */
  words: string;
  isNeeded?: true;
}

/** A step's fields with their templates resolved. */
export type Filled = Readonly<Record<string, unknown>>;

/** The actions that are available to steps that write. */
export interface Writing {
  /** Performs an operation as the flow's agent, in the same write. Returns its record. */
  perform(operation: string, input: { params?: Record<string, string>; body?: object }): Promise<object>;
  /** Returns the id of the record that assigns a role to a member, if they have the role. */
  roleOf(userId: string, roleId: string): Promise<string | undefined>;
  /** Returns the id of the flow's direct message with a person. Throws NOT_FOUND and FORBIDDEN. */
  direct(userId: string): Promise<string>;
  /** Starts a run of another flow. Returns its record. */
  call(flowId: string, input: unknown): Promise<object>;
}

/** A type of step. */
export type StepType = {
  /** The description of the step in the documentation. */
  words: string;
  fields: Readonly<Record<string, Field>>;
  /** The flags that the step's operation needs. */
  flags?: readonly Flag[];
  /** Checks rules that the field kinds cannot express. Returns the problem and its field. */
  problemIn?(step: Filled): { field: string; message: string } | undefined;
} & (
  | {
      does: 'write';
      /** Performs operations. Returns the output. */
      run(writing: Writing, step: Filled): Promise<object>;
    }
  | {
      does: 'ask';
      /** Sends the question. Returns its message. */
      run(writing: Writing, step: Filled): Promise<object>;
    }
  | { does: 'compute'; run(step: Filled): object }
  | { does: 'branch' | 'each' }
  | { does: 'wait' | 'call' }
);

export const field = (kind: FieldKind, words: string): Field => ({ kind, words });
export const needed = (kind: FieldKind, words: string): Field => ({ kind, words, isNeeded: true });

/** Returns the fields that are set, for a request body. */
export const filled = (step: Filled, ...names: string[]): object =>
  Object.fromEntries(names.flatMap((name) => (isGiven(step[name]) ? [[name, step[name]]] : [])));

export const isGiven = (value: unknown): boolean => value !== undefined && value !== null && value !== '';
