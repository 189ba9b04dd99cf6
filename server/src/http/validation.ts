import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import type { FastifySchemaCompiler } from 'fastify';
import type { TSchema } from 'typebox';
import { ApiError, type Problem } from '../errors.ts';

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

/** Compiles what validates a part of a request when the first one comes, so that the start is quick. */
export const compileValidator: FastifySchemaCompiler<TSchema> = ({ schema, httpPart }) => {
  const thorough = httpPart === 'body' ? strict : coercing;
  const compiled = new Map<Ajv, ValidateFunction>();
  return function check(data) {
    const ajv = httpPart === 'body' && isLong(data) ? brief : thorough;
    const validate = compiled.get(ajv) ?? ajv.compile(schema);
    compiled.set(ajv, validate);
    return validate(data) || { error: validate.errors as unknown as Error };
  };
};

const isLong = (data: unknown): boolean =>
  typeof data === 'object' &&
  data !== null &&
  Object.values(data).some((value) => Array.isArray(value) && value.length > MAX_LISTED);

/** INVALID_REQUEST from what Ajv found, in words that tell the caller what to change. */
export function validationError(errors: readonly ErrorObject[], part: string): ApiError {
  const problems: Problem[] = errors.slice(0, MAX_PROBLEMS).map(problemOf);
  const [first] = problems as [Problem];
  const where = first.path === '' ? (part === 'querystring' ? 'query' : part) : first.path;
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
