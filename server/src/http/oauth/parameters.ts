/** A refusal in the form of RFC 6749, 5.2. */
export class OAuthError extends Error {
  readonly error: string;
  readonly status: number;

  constructor(error: string, description: string, status = 400) {
    super(description);
    this.error = error;
    this.status = status;
  }
}

/** The parameters of a form, by name. */
export type Parameters = ReadonlyMap<string, string>;

const MAX_NAME_CHARACTERS = 100;

const wrong = (description: string): OAuthError => new OAuthError('invalid_request', description);

/** The parameters of a body. Throws OAuthError if one comes twice (RFC 6749, 3.2). */
export function parametersOf(bytes: Buffer): Parameters {
  const parameters = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(bytes.toString('utf8'))) {
    if (parameters.has(name)) throw wrong('a parameter comes twice');
    parameters.set(name, value);
  }
  return parameters;
}

/** The value of a parameter; one that is empty counts as left out (RFC 6749, 3.2). */
export const textOf = (parameters: Parameters, name: string): string | undefined =>
  parameters.get(name) || undefined;

/** The value of a parameter. Throws OAuthError without one. */
export function required(parameters: Parameters, name: string): string {
  const value = textOf(parameters, name);
  if (value === undefined)
    throw wrong(`${name} is required, in a body of the type application/x-www-form-urlencoded`);
  return value;
}

/** A name that a person will be shown. Throws OAuthError for one that is long, blank, or has characters that cannot be seen. */
export function shownName(parameter: string, name: string): string {
  if (name.length > MAX_NAME_CHARACTERS || name.trim() === '' || /\p{C}/u.test(name))
    throw wrong(`${parameter} must be a name of at most ${MAX_NAME_CHARACTERS} characters`);
  return name;
}
