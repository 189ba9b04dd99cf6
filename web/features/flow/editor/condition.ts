import { type Fields, isFields } from './draft.ts';

/** The tests that the form supports. Tests with `not` in the API have their own names. */
export const tests = [
  'equals',
  'notEquals',
  'contains',
  'notContains',
  'startsWith',
  'matches',
  'greater',
  'in',
  'isNotEmpty',
  'isEmpty',
] as const;
export type TestName = (typeof tests)[number];

/** A test of the value at a path. */
export interface Test {
  path: string;
  test: TestName;
  /** For `in`, comma-separated values; empty for `isEmpty` and `isNotEmpty`. */
  than: string;
}

/** A condition that a form can show: tests, all or any of which must hold. */
export interface Tests {
  join: 'all' | 'any';
  tests: readonly Test[];
}

const isPlain = (value: unknown): boolean => ['string', 'number', 'boolean'].includes(typeof value);

/** The tests of a condition in the API's format; undefined if a form cannot show it. */
export function testsOf(condition: unknown): Tests | undefined {
  if (condition === undefined) return { join: 'all', tests: [] };
  if (!isFields(condition)) return undefined;
  const [name = '', ...others] = Object.keys(condition);
  if (name !== 'all' && name !== 'any') {
    const one = testOf(condition);
    return one && { join: 'all', tests: [one] };
  }
  const items = condition[name];
  if (others.length > 0 || !Array.isArray(items)) return undefined;
  const found = items.map(testOf);
  return found.every((one) => one !== undefined) ? { join: name, tests: found } : undefined;
}

function testOf(condition: unknown): Test | undefined {
  if (!isFields(condition)) return undefined;
  const { not, ...rest } = condition;
  if (not !== undefined) {
    const inner = Object.keys(rest).length === 0 ? testOf(not) : undefined;
    if (inner?.test === 'equals') return { ...inner, test: 'notEquals' };
    return inner?.test === 'contains' ? { ...inner, test: 'notContains' } : undefined;
  }
  const { path, ...tested } = rest;
  const [entry, ...others] = Object.entries(tested);
  if (typeof path !== 'string' || !entry || others.length > 0) return undefined;
  const [name, than] = entry;
  if (name === 'isEmpty') return { path, test: than === true ? 'isEmpty' : 'isNotEmpty', than: '' };
  if (name === 'in')
    return Array.isArray(than) && than.every((one) => isPlain(one) && !String(one).includes(','))
      ? { path, test: 'in', than: than.join(', ') }
      : undefined;
  const test = tests.find((one) => one === name);
  return test && isPlain(than) ? { path, test, than: String(than) } : undefined;
}

/** The condition in the API's format; undefined without tests. */
export function conditionOf({ join, tests }: Tests): Fields | undefined {
  const [first, ...others] = tests.map(oneOf);
  return others.length === 0 ? first : { [join]: tests.map(oneOf) };
}

function oneOf({ path, test, than }: Test): Fields {
  switch (test) {
    case 'notEquals':
      return { not: { path, equals: than } };
    case 'notContains':
      return { not: { path, contains: than } };
    case 'isEmpty':
    case 'isNotEmpty':
      return { path, isEmpty: test === 'isEmpty' };
    case 'in':
      return { path, in: than.split(',').map((one) => one.trim()) };
    default:
      return { path, [test]: than };
  }
}

/** The path of a test's value in the body, which the server's errors refer to. */
export function placeOf(at: string, { join, tests }: Tests, index: number): { path: string; than: string } {
  const test = tests[index]?.test ?? 'equals';
  const one = tests.length > 1 ? `${at}.${join}[${index}]` : at;
  const isNot = test === 'notEquals' || test === 'notContains';
  const inner = isNot ? `${one}.not` : one;
  const names: Partial<Record<TestName, string>> = {
    notEquals: 'equals',
    notContains: 'contains',
    isNotEmpty: 'isEmpty',
  };
  return { path: `${inner}.path`, than: `${inner}.${names[test] ?? test}` };
}
