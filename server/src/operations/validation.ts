import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import type { TSchema } from 'typebox';
import { ApiError, type Problem } from '../errors.ts';
import type { Described, RawInput } from './operation.ts';
import { querySchemaOf } from './schemas.ts';
import { inspect } from './text.ts';

/** More problems than these in one request help nobody. */
const MAX_PROBLEMS = 20;

const formats = {
  uri: (text: string) => /^https?:/i.test(text) && URL.canParse(text),
  uuid: true,
} as const;

const common = { allErrors: true, strict: false, removeAdditional: false, formats } as const;
/** Lists longer than this are held against their schema until the first problem only. */
const MAX_LISTED = 1000;
/** JSON says of itself what is a number: nothing is coerced. */
const strict = new Ajv({ ...common, coerceTypes: false });
const brief = new Ajv({ ...common, coerceTypes: false, allErrors: false });
/** A query is text: numbers and booleans are read from it. */
const coercing = new Ajv({ ...common, coerceTypes: true, useDefaults: true });

const compiled = new Map<Ajv, WeakMap<TSchema, ValidateFunction>>();

/** Validates; the schema is compiled when it is first needed, so that the start is quick. Throws INVALID_REQUEST. */
function check(ajv: Ajv, schema: TSchema, data: unknown, part: string): void {
  const known = compiled.get(ajv) ?? new WeakMap<TSchema, ValidateFunction>();
  compiled.set(ajv, known);
  let validate = known.get(schema);
  if (!validate) {
    validate = ajv.compile(schema);
    known.set(schema, validate);
  }
  if (!validate(data)) throw validationError(validate.errors ?? [], part);
}

/** The input of an operation as its row has it: the body strictly, numbers and booleans of the query read from text. Throws INVALID_REQUEST. */
export function validInput(operation: Described, { params = {}, query = {}, body }: RawInput) {
  inspect(body, '');
  if (operation.body) check(isLong(body) ? brief : strict, operation.body, body, 'body');
  const read = { ...query };
  for (const name in read) inspect(read[name], name);
  const schema = querySchemaOf(operation);
  if (schema) check(coercing, schema, read, 'query');
  return { params, query: read as Record<string, unknown> & { limit: number }, body };
}

const isLong = (data: unknown): boolean =>
  typeof data === 'object' &&
  data !== null &&
  Object.values(data).some((value) => Array.isArray(value) && value.length > MAX_LISTED);

/** INVALID_REQUEST from the errors of Ajv, in words that tell the caller what to change. */
function validationError(errors: readonly ErrorObject[], part: string): ApiError {
  const problems: Problem[] = errors.slice(0, MAX_PROBLEMS).map(problemOf);
  const [first] = problems as [Problem];
  const where = first.path === '' ? part : first.path;
  return new ApiError('INVALID_REQUEST', `${where}: ${first.message}`, problems);
}

function problemOf({ instancePath, keyword, params, message }: ErrorObject): Problem {
  const path = instancePath.slice(1).replaceAll('/', '.');
  const within = (field: string) => (path === '' ? field : `${path}.${field}`);
  switch (keyword) {
    case 'required':
      return { path: within(params.missingProperty), message: 'is required' };
    case 'type':
      return { path, message: `must be ${[params.type].flat().map(article).join(' or ')}` };
    case 'enum':
      return { path, message: `must be one of ${params.allowedValues.map(String).join(', ')}` };
    case 'minLength':
      return {
        path,
        message: params.limit === 1 ? 'must not be empty' : `must have at least ${params.limit} characters`,
      };
    case 'maxLength':
      return { path, message: `must have at most ${params.limit} characters` };
    case 'pattern':
      return { path, message: params.pattern === '\\S' ? 'must not be blank' : 'has the wrong form' };
    case 'format':
      return { path, message: 'must be an http or https URL' };
    case 'minimum':
      return { path, message: `must be at least ${params.limit}` };
    case 'maximum':
      return { path, message: `must be at most ${params.limit}` };
    default:
      return { path, message: message ?? 'is invalid' };
  }
}

const article = (type: string): string =>
  type === 'null' ? 'null' : `${/^[aeiou]/.test(type) ? 'an' : 'a'} ${type}`;
