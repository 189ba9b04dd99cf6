import { nameProblem, storedName } from '../../lib/names.ts';
import { MAX_NAME_CHARACTERS } from '../../operations/fields.ts';

/** Error codes of the exchange, from RFC 6749 (5.2), RFC 8628 (3.5) and RFC 8707 (2). */
export type Refusal =
  | 'authorization_pending'
  | 'slow_down'
  | 'access_denied'
  | 'expired_token'
  | 'invalid_grant'
  | 'invalid_scope'
  | 'invalid_target';

/** An error as defined in RFC 6749, 5.2. */
export class OAuthError extends Error {
  readonly error: string;
  readonly status: number;

  constructor(error: string, description: string, status = 400) {
    super(description);
    this.error = error;
    this.status = status;
  }
}

/** Form parameters by name. */
export type Parameters = ReadonlyMap<string, string>;

const wrong = (description: string): OAuthError => new OAuthError('invalid_request', description);

/** Parses a body's parameters. Throws OAuthError if one is repeated (RFC 6749, 3.2). */
export function parametersOf(bytes: Buffer): Parameters {
  const parameters = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(bytes.toString('utf8'))) {
    if (parameters.has(name)) throw wrong('a parameter is repeated');
    parameters.set(name, value);
  }
  return parameters;
}

/** Returns the value of a parameter. An empty parameter is treated as missing (RFC 6749, 3.2). */
export const textOf = (parameters: Parameters, name: string): string | undefined =>
  parameters.get(name) || undefined;

/** Returns the value of a parameter. Throws OAuthError if it is missing. */
export function required(parameters: Parameters, name: string): string {
  const value = textOf(parameters, name);
  if (value === undefined) throw wrong(`${name} is required, in an application/x-www-form-urlencoded body`);
  return value;
}

/** Returns a name to show to a person, normalized for storage. Throws OAuthError if it is not valid. */
export function shownName(parameter: string, given: string): string {
  const name = storedName(given);
  const problem = nameProblem(name, MAX_NAME_CHARACTERS);
  if (problem) throw wrong(`${parameter} ${problem.message}`);
  return name;
}
