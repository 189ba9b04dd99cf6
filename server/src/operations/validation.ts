import { Ajv, type ErrorObject, type SchemaValidateFunction, type ValidateFunction } from 'ajv';
import type { TObject, TSchema } from 'typebox';
import { ApiError, invalid, type Problem, problem } from '../errors.ts';
import { nameProblem, storedName, VISIBLE } from '../lib/names.ts';
import { Type } from '../lib/schema.ts';
import { NOT_BLANK, namesIn, PICTURE_ADDRESS, WEB_URL } from './fields.ts';
import type { Described, RawInput } from './operation.ts';
import { querySchemaOf } from './schemas.ts';

/** Maximum nesting of arrays and objects in a body, or in a command's JSON value. */
export const MAX_DEPTH = 32;

/**
 * Throws INVALID_REQUEST if the value contains U+0000, an unpaired surrogate, a number that JSON cannot
 * represent exactly, or too many levels of nesting.
 */
export function inspect(value: unknown, path: string, depth = 1): void {
  if (typeof value === 'string') inspectText(value, path);
  if (typeof value === 'bigint' || (typeof value === 'number' && !Number.isFinite(value)))
    throw invalid('out_of_range', path, 'must be at most 2^53 - 1. Send larger numbers as text');
  if (typeof value !== 'object' || value === null) return;
  if (depth > MAX_DEPTH)
    throw invalid('too_deep', '', `the body is nested more than ${MAX_DEPTH} levels deep`);
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) inspect(value[index], `${path}[${index}]`, depth + 1);
    return;
  }
  for (const key of Object.keys(value)) {
    inspectText(key, path);
    inspect((value as Record<string, unknown>)[key], path === '' ? key : `${path}.${key}`, depth + 1);
  }
}

function inspectText(text: string, path: string): void {
  if (text.includes('\0')) throw invalid('bad_text', path, 'must not contain U+0000');
  if (!text.isWellFormed()) throw invalid('bad_text', path, 'must not contain an unpaired surrogate');
}

/** Maximum number of problems listed in one error. */
const MAX_PROBLEMS = 20;

const formats = {
  uri: (text: string) => /^https?:/i.test(text) && URL.canParse(text),
  uuid: true,
  // `int64` is only for the documents. Minimums and maximums in the schemas limit integers to 2^53, up to
  // which JSON numbers are exact.
  int64: true,
} as const;

/** Our own schemas are not validated, because Ajv would have to compile the meta-schema on every start. */
const trusted = { meta: false, validateSchema: false } as const;
/**
 * Whether a time was probably sent in seconds instead of milliseconds. In this range, times in seconds are
 * between 2001 and 5138, but times in milliseconds are before 1974.
 */
const isInSeconds = (value: number): boolean => value >= 1e9 && value < 1e11;
const unit = {
  keyword: 'x-unit',
  type: 'number' as const,
  validate: (given: string, value: number) => given !== 'milliseconds' || !isInSeconds(value),
};
const common = {
  ...trusted,
  discriminator: true,
  ...{ allErrors: true, strict: false, removeAdditional: false, formats },
} as const;
/**
 * For bodies with a longer list, validation stops at the first problem, because a list of all problems could
 * be huge.
 */
const MAX_FULLY_CHECKED_ITEMS = 1000;
/** Ajv options by mode. */
const ways = {
  /** Mode for bodies. JSON has types, so no values are coerced. */
  strict: { ...common, coerceTypes: false },
  /** Mode for bodies with long lists. */
  brief: { ...common, coerceTypes: false, allErrors: false },
  /** Mode for queries. Numbers and booleans are parsed from text. */
  coercing: { ...common, coerceTypes: true, useDefaults: true },
} as const;
type Way = keyof typeof ways;

const made = new Map<Way, { ajv: Ajv; validators: WeakMap<TSchema, ValidateFunction> }>();

/** The unions within other schemas, by the number in their `union` keyword. */
const unions: TSchema[] = [];

/**
 * Checks a union with a discriminator. The union is compiled on first use, because compiling the union of a
 * message's blocks takes a hundred milliseconds, and few messages have blocks.
 */
function unionKeyword(way: Way) {
  const validate: SchemaValidateFunction = (number: number, data: unknown, _schema, context) => {
    const validateUnion = validatorOf(way, unions[number] as TSchema);
    if (validateUnion(data)) return true;
    validate.errors = (validateUnion.errors ?? []).map((error) => ({
      ...error,
      instancePath: `${context?.instancePath}${error.instancePath}`,
    }));
    return false;
  };
  return { keyword: 'union', errors: 'full' as const, validate };
}

/**
 * Returns a mode's validators. They and their Ajv instance are created on first use, to make startup faster.
 */
function madeFor(way: Way) {
  const found = made.get(way) ?? {
    ajv: new Ajv({ ...ways[way], keywords: [unit, unionKeyword(way)] }),
    validators: new WeakMap(),
  };
  made.set(way, found);
  return found;
}

/**
 * Converts a schema for Ajv. Removes `$id`s, because Ajv rejects duplicates, and each discriminator's
 * `mapping`, which refers to the OpenAPI document. Adds a type to unions, because Ajv checks a discriminator
 * only for objects; within another schema, a union becomes a `union` keyword. In bodies, text that must not
 * be blank needs a visible character. The documents contain a simpler pattern, which every client
 * understands.
 */
const schemaFor = (schema: TSchema, way: Way): object =>
  JSON.parse(
    JSON.stringify(schema, (key, value) => {
      if (key === '$id') return undefined;
      if (key === 'pattern' && value === NOT_BLANK && way !== 'coercing') return VISIBLE;
      const { propertyName } = value?.discriminator ?? {};
      if (!propertyName) return value;
      if (key === '') return { ...value, type: 'object', discriminator: { propertyName } };
      if (!unions.includes(value)) unions.push(value);
      return { union: unions.indexOf(value) };
    }),
  );

/** Returns the validator of a schema in a mode. It is compiled on first use. */
function validatorOf(way: Way, schema: TSchema): ValidateFunction {
  const { ajv, validators } = madeFor(way);
  const known = validators.get(schema);
  if (known) return known;
  const validate = ajv.compile(schemaFor(schema, way));
  validators.set(schema, validate);
  return validate;
}

/** Throws INVALID_REQUEST unless the data is valid. */
function check(way: Way, schema: TSchema, data: unknown, part: string): void {
  const validate = validatorOf(way, schema);
  if (!validate(data)) throw validationError(validate.errors ?? [], part);
}

/**
 * Validates the input of an operation. The body must have the types in its schema; numbers and booleans in
 * the query are parsed from text. Names are normalized for storage. Throws INVALID_REQUEST.
 */
export function validInput(operation: Described, { params = {}, query = {}, body }: RawInput) {
  inspect(body, '');
  if (operation.body && body === undefined)
    throw invalid('missing', '', 'a body is required. Send a JSON object, {} if it is empty');
  if (operation.body) check(isLong(body) ? 'brief' : 'strict', operation.body, body, 'body');
  else if (body !== undefined) check('strict', anyObject, body, 'body');
  const read = { ...query };
  for (const name in read) inspect(read[name], name);
  const schema = querySchemaOf(operation);
  if (schema) {
    requireDigits(schema, read);
    check('coercing', schema, read, 'query');
  }
  const given = operation.body ? withStoredNames(operation.body, body as object) : body;
  return { params, query: read as Record<string, unknown> & { limit: number }, body: given };
}

const namesByBody = new WeakMap<TObject, ReturnType<typeof namesIn>>();

/** Normalizes the names in a body for storage. Throws INVALID_REQUEST for invalid names. */
function withStoredNames(schema: TObject, body: object): object {
  let names = namesByBody.get(schema);
  if (!names) {
    names = namesIn(schema);
    namesByBody.set(schema, names);
  }
  let stored = body as Record<string, unknown>;
  const problems: Problem[] = [];
  for (const { field, min, max } of names) {
    const given = stored[field];
    if (typeof given !== 'string' || (given === '' && min === 0)) continue;
    const name = storedName(given);
    const found = nameProblem(name, max);
    if (found) problems.push(problem(found.reason, field, found.message));
    else if (name !== given) stored = { ...stored, [field]: name };
  }
  const [first, ...others] = problems;
  if (first) throw new ApiError('INVALID_REQUEST', `${first.path}: ${first.message}`, [first, ...others]);
  return stored;
}

/**
 * The body schema of an operation without a body. Clients may send an object anyway, such as `{"id": …}`
 * with a DELETE.
 */
const anyObject = Type.Object({});

/**
 * Rejects integers in a query that are not written in decimal digits, because Ajv would accept `0x10` and
 * `1e1`.
 */
function requireDigits({ properties }: TObject, query: Record<string, unknown>): void {
  for (const name in query) {
    const value = query[name];
    const isInteger = (properties[name] as { type?: unknown } | undefined)?.type === 'integer';
    if (isInteger && typeof value === 'string' && !/^-?\d+$/.test(value))
      throw invalid('wrong_type', name, 'must be an integer');
  }
}

/**
 * Whether a body contains a long list. This is a hot path, so it does not allocate an array of the values.
 */
function isLong(data: unknown): boolean {
  if (typeof data !== 'object' || data === null) return false;
  for (const name in data) {
    const value = (data as Record<string, unknown>)[name];
    if (Array.isArray(value) && value.length > MAX_FULLY_CHECKED_ITEMS) return true;
  }
  return false;
}

/** Converts Ajv errors to INVALID_REQUEST. `part` is `body` or `query`. */
function validationError(errors: readonly ErrorObject[], part: string): ApiError {
  const all = errors.slice(0, MAX_PROBLEMS).map(problemOf);
  // An empty text is both too short and blank, but one problem is enough.
  const isRepeated = ({ path, reason }: Problem, index: number) =>
    all.slice(0, index).some((earlier) => earlier.path === path && earlier.reason === reason);
  const problems = all.filter((each, index) => !isRepeated(each, index)) as [Problem, ...Problem[]];
  const [first] = problems;
  const where = first.path === '' ? part : first.path;
  return new ApiError('INVALID_REQUEST', `${where}: ${first.message}`, problems);
}

/** The error messages for text that does not match a pattern. */
const forms: Record<string, string> = {
  [WEB_URL]: 'must be an http or https URL',
  [PICTURE_ADDRESS]: 'must be an http or https URL, or the path of an uploaded image',
};

function problemOf({ instancePath, keyword, params, message }: ErrorObject): Problem {
  const path = instancePath.slice(1).replaceAll('/', '.');
  const within = (field: string) => (path === '' ? field : `${path}.${field}`);
  switch (keyword) {
    case 'required':
      return problem('missing', within(params.missingProperty), 'is required');
    case 'type':
      return problem('wrong_type', path, `must be ${[params.type].flat().map(article).join(' or ')}`);
    case 'enum':
      return problem('unknown_value', path, `must be one of ${params.allowedValues.map(String).join(', ')}`);
    case 'minLength':
      return params.limit === 1
        ? problem('blank', path, 'must not be empty')
        : problem('too_short', path, `must have at least ${params.limit} characters`);
    case 'maxLength':
      return problem('too_long', path, `must have at most ${params.limit} characters`);
    case 'pattern':
      return params.pattern === NOT_BLANK || params.pattern === VISIBLE
        ? problem('blank', path, 'must not be blank')
        : problem('wrong_form', path, forms[params.pattern] ?? 'has the wrong format');
    case 'format':
      return problem('wrong_form', path, 'must be an http or https URL');
    case 'minimum':
      return problem('out_of_range', path, `must be at least ${params.limit}`);
    case 'maximum':
      return problem('out_of_range', path, `must be at most ${params.limit}`);
    case 'x-unit':
      return problem(
        'out_of_range',
        path,
        'must be in milliseconds since 1970, and looks like seconds. Multiply it by 1000',
      );
    case 'discriminator':
      return problem('unknown_value', within(params.tag), 'must be a known type');
    case 'minItems':
      return problem('too_few', path, `must have at least ${params.limit} elements`);
    case 'maxItems':
      return problem('too_many', path, `must have at most ${params.limit} elements`);
    default:
      return problem('wrong_form', path, message ?? 'is invalid');
  }
}

const article = (type: string): string =>
  type === 'null' ? 'null' : `${/^[aeiou]/.test(type) ? 'an' : 'a'} ${type}`;
