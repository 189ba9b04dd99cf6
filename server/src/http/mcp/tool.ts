import type { Caller } from '../../access/authenticator.ts';
import type { Kind } from '../../limits/table.ts';
import type { RawInput } from '../../operations/operation.ts';
import type { Services } from '../../operations/services.ts';
import type { Users } from './lines.ts';

/** The arguments of a call: strings, numbers and lists of strings, as described by `fields`. */
export type Arguments = Readonly<Record<string, string | number | readonly string[] | undefined>>;

export interface Calling {
  services: Services;
  caller: Caller;
  /** Returns a signal that is aborted when the client disconnects, or when the node stops. */
  closing(): AbortSignal;
  /** Counts the call towards a rate limit. Throws RATE_LIMITED. */
  count(kind: Kind): void | Promise<void>;
}

/** The result of an operation, for a tool to show. */
export interface Found {
  // biome-ignore lint/suspicious/noExplicitAny: records of every operation
  data: any;
  /** The cursor of the next page; null on the last page. */
  next: string | null;
  /** The users that the records refer to. */
  users: Users;
  args: Arguments;
}

/** The result as text for a model, and as structured content for programs. */
export interface Shown {
  lines: readonly string[];
  structured: object;
}

/** A tool that models call. It wraps an operation. */
export interface Tool {
  name: string;
  description: string;
  /** The name of the operation, or a function that selects it by the arguments. */
  operation: string | ((args: Arguments) => string);
  /** The JSON schemas of the arguments; all but `optional` are required. */
  fields: Readonly<Record<string, Field>>;
  optional?: readonly string[];
  /** The names of the fields of `structuredContent`, with their types. */
  output: Readonly<Record<string, 'string' | 'array' | 'object'>>;
  /** Whether a call reads, adds or replaces data. */
  effect: 'read' | 'add' | 'replace';
  /** False if repeated calls have additional effects. */
  idempotent?: false;
  /** The number of list pages that one call reads; each counts towards the rate limit. Defaults to 1. */
  pages?: number;
  /** Returns the input of the operation. Throws ApiError. */
  input(args: Arguments, caller: Caller, services: Services): RawInput | Promise<RawInput>;
  show(found: Found): Shown;
}

export interface Field {
  type: 'string' | 'integer' | 'array';
  minimum?: number;
  maximum?: number;
  [keyword: string]: unknown;
}

/** Returns the arguments that are set, as text for a path or query. */
export const given = (fields: Arguments): Record<string, string> =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  );

export const serverOf = ({ principal: { serverId } }: Caller): { serverId: string } => ({
  serverId: serverId as string,
});

/** Returns a tool as listed by `tools/list`. Hints that are false by default are omitted. */
export const listedTool = ({
  name,
  description,
  fields,
  optional = [],
  output,
  effect,
  idempotent,
}: Tool): object => {
  const required = Object.keys(fields).filter((field) => !optional.includes(field));
  return {
    name,
    description,
    inputSchema: {
      type: 'object',
      ...(Object.keys(fields).length > 0 && { properties: fields }),
      ...(required.length > 0 && { required }),
      additionalProperties: false,
    },
    outputSchema: {
      type: 'object',
      properties: Object.fromEntries(Object.entries(output).map(([field, type]) => [field, { type }])),
    },
    annotations:
      effect === 'read'
        ? { readOnlyHint: true }
        : {
            readOnlyHint: false,
            destructiveHint: effect === 'replace',
            idempotentHint: idempotent !== false,
          },
  };
};

/**
 * Validates the types of the arguments. Returns the problem; undefined if there is none. The operation
 * validates the rest.
 */
export function problemWith({ fields, optional = [] }: Tool, args: Arguments): string | undefined {
  for (const name of Object.keys(args))
    if (!Object.hasOwn(fields, name)) {
      const names = Object.keys(fields).join(', ') || 'none';
      return `there is no argument "${name.slice(0, 50)}". The arguments are: ${names}`;
    }
  for (const [name, { type, minimum, maximum }] of Object.entries(fields)) {
    const value = args[name];
    if (value === undefined) {
      if (optional.includes(name)) continue;
      return `${name} is required`;
    }
    if (!isOf(type, value))
      return `${name} must be ${{ string: 'a string', integer: 'an integer', array: 'a list of strings' }[type]}`;
    if (minimum !== undefined && maximum !== undefined && !isWithin(Number(value), minimum, maximum))
      return `${name} must be from ${minimum} to ${maximum}`;
  }
  return undefined;
}

const isWithin = (value: number, minimum: number, maximum: number): boolean =>
  value >= minimum && value <= maximum;

function isOf(type: Field['type'], value: unknown): boolean {
  if (type === 'integer') return Number.isSafeInteger(value);
  if (type === 'array') return Array.isArray(value) && value.every((each) => typeof each === 'string');
  return typeof value === 'string';
}
