import { RE2JS } from 're2js';
import { parsePath, TemplateProblem, type Values, valueAt, valueFrom } from './template.ts';

/**
 * Structured conditions: `{"all": […]}`, `{"any": […]}`, `{"not": …}`, or a test of the value at a path, such
 * as `{"path": "event.data.content", "startsWith": "ping"}`. All tests in one object must hold.
 */

/** Thrown for a condition that cannot be parsed, with its path and the problem. */
export class ConditionProblem extends Error {
  readonly path: string;
  constructor(path: string, message: string) {
    super(message);
    this.path = path;
  }
}

const MAX_DEPTH = 8;
const MAX_TESTS = 50;
const MAX_PATTERN_CHARACTERS = 500;
/** Patterns are tested on at most this many characters of a text. */
const MAX_MATCHED_CHARACTERS = 8_000;

const tests = {
  equals: (value, than) => isSame(value, than),
  contains: (value, than) =>
    Array.isArray(value) ? value.some((item) => isSame(item, than)) : textIn(value).includes(textIn(than)),
  startsWith: (value, than) => textIn(value).startsWith(textIn(than)),
  matches: (value, than) =>
    patternOf(String(than)).matcher(textIn(value).slice(0, MAX_MATCHED_CHARACTERS)).find(),
  greater: (value, than) => Number(value) > Number(than),
  in: (value, than) => Array.isArray(than) && than.some((item) => isSame(value, item)),
  isEmpty: (value, than) => isEmpty(value) === than,
} satisfies Record<string, (value: unknown, than: unknown) => boolean>;

type Test = keyof typeof tests;

/** Converts a value to text; empty for null, undefined, lists and objects. */
const textIn = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';

/** Compares values as JSON. A number or boolean equals a string with the same text. */
const isSame = (one: unknown, other: unknown): boolean =>
  JSON.stringify(one ?? null) === JSON.stringify(other ?? null) ||
  (typeof one !== typeof other && textIn(one) !== '' && textIn(one) === textIn(other));

const isEmpty = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === '' ||
  (typeof value === 'object' && Object.keys(value).length === 0);

const patterns = new Map<string, RE2JS>();
const MAX_PATTERNS = 1_000;

/**
 * Compiles a pattern. RE2 runs in time linear in the length of the text. Throws an Error if the pattern is
 * not valid.
 */
function patternOf(pattern: string): RE2JS {
  let found = patterns.get(pattern);
  if (!found) {
    found = RE2JS.compile(pattern);
    if (patterns.size >= MAX_PATTERNS) patterns.clear();
    patterns.set(pattern, found);
  }
  return found;
}

/** Throws ConditionProblem unless this is a valid condition. */
export function requireCondition(given: unknown, path: string): void {
  const tested = countTests(given, path, 1);
  if (tested > MAX_TESTS) throw new ConditionProblem(path, `must have at most ${MAX_TESTS} tests`);
}

function countTests(given: unknown, path: string, depth: number): number {
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw new ConditionProblem(path, 'must be a condition');
  if (depth > MAX_DEPTH) throw new ConditionProblem(path, `must be nested at most ${MAX_DEPTH} levels deep`);
  const condition = given as Record<string, unknown>;
  const [name, ...others] = Object.keys(condition);
  for (const group of ['all', 'any'] as const) {
    if (!(group in condition)) continue;
    const items = condition[group];
    if (others.length > 0 || !Array.isArray(items) || items.length === 0 || items.length > MAX_TESTS)
      throw new ConditionProblem(path, `must be {"${group}": […]} with 1 to ${MAX_TESTS} conditions`);
    return items.reduce<number>(
      (sum, item, index) => sum + countTests(item, `${path}.${group}[${index}]`, depth + 1),
      0,
    );
  }
  if (name === 'not' && others.length === 0) return countTests(condition.not, `${path}.not`, depth + 1);
  return requireTests(condition, path);
}

function requireTests({ path: of, ...others }: Record<string, unknown>, path: string): number {
  if (typeof of !== 'string')
    throw new ConditionProblem(
      path,
      'must have "path" and a test, or be {"all": […]}, {"any": […]} or {"not": …}',
    );
  readPath(of, `${path}.path`);
  const entries = Object.entries(others);
  if (entries.length === 0)
    throw new ConditionProblem(path, `must have a test: ${Object.keys(tests).join(', ')}`);
  for (const [name, than] of entries) {
    const at = `${path}.${name}`;
    if (!Object.hasOwn(tests, name))
      throw new ConditionProblem(at, `is not a test. The tests are ${Object.keys(tests).join(', ')}`);
    if (name === 'isEmpty' && typeof than !== 'boolean')
      throw new ConditionProblem(at, 'must be true or false');
    if (name === 'in' && (!Array.isArray(than) || than.length > 100))
      throw new ConditionProblem(at, 'must be a list of at most 100 values');
    if (name === 'greater' && typeof than !== 'number' && typeof than !== 'string')
      throw new ConditionProblem(at, 'must be a number');
    if (name === 'matches') requirePattern(than, at);
    if ((name === 'startsWith' || name === 'contains') && typeof than === 'object')
      throw new ConditionProblem(at, 'must be text');
    if (typeof than === 'string' && name !== 'matches') readTemplate(than, at);
  }
  return entries.length;
}

function requirePattern(pattern: unknown, path: string): void {
  if (typeof pattern !== 'string' || pattern.length > MAX_PATTERN_CHARACTERS)
    throw new ConditionProblem(path, `must be a pattern of at most ${MAX_PATTERN_CHARACTERS} characters`);
  try {
    RE2JS.compile(pattern);
  } catch {
    throw new ConditionProblem(
      path,
      'must be a pattern in the syntax of RE2, which has no lookaround and no back-references',
    );
  }
}

const readPath = (text: string, path: string) => reading(path, () => parsePath(text));
const readTemplate = (text: string, path: string) => reading(path, () => valueFrom(text, {}));

function reading(path: string, read: () => unknown): void {
  try {
    read();
  } catch (error) {
    if (error instanceof TemplateProblem) throw new ConditionProblem(path, error.message);
    throw error;
  }
}

/** Returns the condition with its templates resolved, to pass to `holds` with `isFilled`. */
export function filledCondition(given: unknown, values: Values): unknown {
  const condition = given as Record<string, unknown>;
  return Object.fromEntries(
    Object.entries(condition).map(([name, than]) => {
      if (name === 'all' || name === 'any')
        return [name, (than as unknown[]).map((item) => filledCondition(item, values))];
      if (name === 'not') return [name, filledCondition(than, values)];
      const isTemplate = typeof than === 'string' && name !== 'matches' && name !== 'path';
      return [name, isTemplate ? valueFrom(than, values) : than];
    }),
  );
}

/**
 * Whether a condition holds. `requireCondition` must have accepted it. With `isFilled`, its texts are not
 * templates.
 */
export function holds(given: unknown, values: Values, isFilled = false): boolean {
  const condition = given as Record<string, unknown>;
  if (Array.isArray(condition.all)) return condition.all.every((item) => holds(item, values, isFilled));
  if (Array.isArray(condition.any)) return condition.any.some((item) => holds(item, values, isFilled));
  if (condition.not !== undefined) return !holds(condition.not, values, isFilled);
  const { path, ...others } = condition;
  const value = valueAt(values, parsePath(path as string));
  return Object.entries(others).every(([name, than]) => {
    const isTemplate = !isFilled && typeof than === 'string' && name !== 'matches';
    const other = isTemplate ? valueFrom(than, values) : than;
    return tests[name as Test](value, other);
  });
}
