import { invalid, type Reason } from '../errors.ts';
import type { EventTable } from '../feed/eventKind.ts';
import type { Flag } from '../lib/flags.ts';
import { isObject } from '../lib/isObject.ts';
import {
  allSteps,
  type branches,
  type Field,
  type FieldKind,
  isEventWait,
  isGiven,
  type Step,
  type StepType,
  stepTypes,
  typeOf,
} from './steps.ts';
import { parseTemplate, pathsIn, TemplateProblem } from './template.ts';
import { conditionIn, requireEventType, requireTrigger, shown, type Trigger } from './triggers.ts';

/** The trigger and the steps of a flow that Palaver runs. */
export interface FlowShape {
  trigger: Trigger;
  steps: readonly Step[];
}

const MAX_STEPS = 20;
const MAX_BUTTONS = 20;
const MAX_TEXT_CHARACTERS = 16_000;
const MAX_NAME_CHARACTERS = 50;
/** Maximum fields of an object in a step. */
const MAX_FIELDS = 50;

/** Throws INVALID_REQUEST at the first invalid part unless Palaver can run this flow. */
export function requireShape(
  given: { trigger: unknown; steps: readonly unknown[] },
  events: EventTable,
  now: number,
): FlowShape {
  requireTrigger(given.trigger, events, now);
  const names = new Set<string>();
  const count = requireSteps(given.steps, 'steps', { names, events, isInEach: false });
  if (count > MAX_STEPS) throw invalid('too_many', 'steps', `must have at most ${MAX_STEPS} steps`);
  const shape = given as FlowShape;
  for (const { step, path } of allSteps(shape.steps)) requirePaths(step, path, names);
  return shape;
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

interface Place {
  /** The names of the preceding steps. */
  names: Set<string>;
  events: EventTable;
  isInEach: boolean;
}

/** Validates a list of steps. Returns their number, including nested ones. Throws INVALID_REQUEST. */
function requireSteps(given: unknown, path: string, place: Place): number {
  if (!Array.isArray(given)) throw invalid('wrong_type', path, 'must be a list of steps');
  if (given.length > MAX_STEPS) throw invalid('too_many', path, `must have at most ${MAX_STEPS} steps`);
  return given.reduce<number>((sum, step, index) => sum + requireStep(step, `${path}[${index}]`, place), 0);
}

function requireStep(given: unknown, path: string, place: Place): number {
  if (!isObject(given)) throw invalid('wrong_type', path, 'must be an object');
  const { do: type, name } = given;
  if (typeof type !== 'string' || !Object.hasOwn(stepTypes, type))
    throw invalid(
      'unknown_value',
      `${path}.do`,
      `${shown(type)} is not a step. The steps are ${Object.keys(stepTypes).join(', ')}`,
    );
  requireName(name, `${path}.name`, place.names);
  const row = stepTypes[type] as StepType;
  if (row.does === 'each' && place.isInEach)
    throw invalid('not_together', `${path}.do`, 'cannot be nested in another each');
  let count = 1;
  for (const [field, facts] of Object.entries(row.fields)) {
    const value = given[field];
    const at = `${path}.${field}`;
    if (!isGiven(value)) {
      if (facts.isNeeded) throw invalid('missing', at, 'is required');
      continue;
    }
    if (facts.kind === 'steps')
      count += requireSteps(value, at, { ...place, isInEach: place.isInEach || row.does === 'each' });
    else requireField(value, at, facts, place.events);
  }
  const found = row.problemIn?.(given);
  if (found) throw invalid('missing', `${path}.${found.field}`, found.message);
  return count;
}

function requireName(name: unknown, path: string, names: Set<string>): void {
  if (name === undefined) return;
  if (typeof name !== 'string' || !/^[A-Za-z0-9_-]+$/.test(name) || name.length > MAX_NAME_CHARACTERS)
    throw invalid(
      'wrong_form',
      path,
      `must be 1 to ${MAX_NAME_CHARACTERS} of the characters A–Z, a–z, 0–9, _ and -`,
    );
  if (names.has(name)) throw invalid('duplicate', path, 'is already the name of another step');
  names.add(name);
}

function requireField(value: unknown, path: string, { kind }: Field, events: EventTable): void {
  if (kind === 'condition') return void conditionIn(value, path);
  if (kind === 'event') return void requireEvent(value, path, events);
  const problem = problemWith(kind, value);
  if (problem) throw invalid(problem[0], path, problem[1]);
  templatesIn(value, path);
}

/** Throws INVALID_REQUEST unless this is an event to wait for. */
function requireEvent(value: unknown, path: string, events: EventTable): void {
  if (!isObject(value)) throw invalid('wrong_type', path, 'must be an object');
  requireEventType(value.type, `${path}.type`, events);
  if (value.where !== undefined) conditionIn(value.where, `${path}.where`);
}

/** Returns the problem with the value of a field; undefined if it is valid. */
function problemWith(kind: FieldKind, value: unknown): [Reason, string] | undefined {
  if (kind === 'flag')
    return typeof value === 'boolean' ? undefined : ['wrong_type', 'must be true or false'];
  if (kind === 'list')
    return Array.isArray(value) || typeof value === 'string'
      ? undefined
      : ['wrong_type', 'must be a list or a template'];
  if (kind === 'buttons') {
    const areButtons =
      Array.isArray(value) && value.every((one) => isObject(one) && isText(one.id) && isText(one.text));
    if (!areButtons) return ['wrong_form', 'must be a list of buttons, each with id and text'];
    return value.length <= MAX_BUTTONS ? undefined : ['too_many', `must have at most ${MAX_BUTTONS} buttons`];
  }
  if (kind === 'form')
    return isObject(value) && isText(value.text) && Array.isArray(value.fields)
      ? undefined
      : ['wrong_form', 'must be an object with text and fields'];
  if (kind === 'name')
    return typeof value === 'string' && /^[A-Za-z0-9_-]{1,100}$/.test(value)
      ? undefined
      : ['wrong_form', 'must be a name of the characters A–Z, a–z, 0–9, _ and -'];
  if (kind === 'texts' || kind === 'values') {
    if (!isObject(value)) return ['wrong_type', 'must be an object'];
    if (Object.keys(value).length > MAX_FIELDS) return ['too_many', `must have at most ${MAX_FIELDS} fields`];
    const isText = Object.values(value).every((one) => typeof one === 'string');
    return kind === 'values' || isText ? undefined : ['wrong_type', 'must contain only text'];
  }
  if (kind === 'id' || kind === 'text' || kind === 'url') {
    if (typeof value !== 'string' && !(kind === 'text' && typeof value === 'number'))
      return ['wrong_type', 'must be text'];
    if (String(value).length <= MAX_TEXT_CHARACTERS) return undefined;
    return ['too_long', `must be at most ${MAX_TEXT_CHARACTERS} characters`];
  }
  if (typeof kind === 'object' && 'from' in kind) {
    const isTemplate = typeof value === 'string' && value.includes('{{');
    if (isTemplate || (typeof value === 'number' && value >= kind.from && value <= kind.to)) return undefined;
    return ['out_of_range', `must be a number from ${kind.from} to ${kind.to}, or a template`];
  }
  if (typeof kind === 'object' && !kind.includes(value as string))
    return ['unknown_value', `must be one of ${kind.join(', ')}`];
  return undefined;
}

/** Throws INVALID_REQUEST for templates that cannot be parsed. */
function templatesIn(value: unknown, path: string): void {
  try {
    if (typeof value === 'string') parseTemplate(value);
    else pathsIn(value);
  } catch (error) {
    if (error instanceof TemplateProblem) throw invalid('wrong_form', path, error.message);
    throw error;
  }
}

/**
 * Throws INVALID_REQUEST for a path to an unknown step, and for a secret in a field that must not contain
 * secrets.
 */
function requirePaths(step: Step, path: string, names: ReadonlySet<string>): void {
  const { fields, does } = typeOf(step);
  for (const [field, { kind }] of Object.entries(fields)) {
    const value = step[field];
    if (kind === 'condition' || kind === 'event' || kind === 'steps' || value === undefined) continue;
    for (const [root, name = ''] of pathsIn(value)) {
      const at = `${path}.${field}`;
      if (root === 'steps' && !names.has(name))
        throw invalid('unknown_value', at, `reads ${shown(name)}, which is not the name of a step`);
      if (root === 'secret' && does !== 'call')
        throw invalid('not_together', at, 'must not contain a secret: only http.call may send one');
    }
  }
}

/** Returns the flags that a flow's role needs. */
export function flagsNeeded({ trigger, steps }: FlowShape, events: EventTable): Flag[] {
  const flags = new Set<Flag>();
  for (const { step } of allSteps(steps)) for (const flag of typeOf(step).flags ?? []) flags.add(flag);
  const awaited = [...allSteps(steps)].flatMap(({ step }) =>
    isEventWait(step) ? [(step.event as { type: string }).type] : [],
  );
  for (const type of trigger.on === 'event' ? [trigger.type, ...awaited] : awaited) {
    const { audience } = events.find(type) ?? {};
    if (audience === 'data') flags.add('canViewData');
    if (audience === 'apps' || audience === 'secrets') flags.add('canEditApp');
    if (audience === 'bans' || audience === 'reports') flags.add('canModerate');
  }
  return [...flags];
}

/** Whether a step has nested steps in this branch. */
export const hasBranch = (step: Step, branch: (typeof branches)[number]): boolean =>
  (step[branch]?.length ?? 0) > 0;
