import { invalid } from '../errors.ts';
import type { EventKind, EventTable } from '../feed/eventKind.ts';
import { isObject } from '../lib/isObject.ts';
import { ConditionProblem, requireCondition } from './conditions.ts';
import { isCron, nextTime } from './schedule.ts';
import { isGiven } from './steps.ts';
import { isTimeZone } from './template.ts';

/** The triggers, by their name in `on`. */
export type Trigger =
  | { on: 'event'; type: string; where?: unknown }
  | { on: 'schedule'; cron: string; timeZone: string }
  | { on: 'command'; command: string; description?: string; options?: readonly object[] }
  | { on: 'button'; actionId: string; flowId?: string }
  | { on: 'hook' }
  | { on: 'manual' };

/** The kinds of fields in triggers. */
type TriggerFieldKind =
  /** The type of an event that can start a flow. */
  | 'eventType'
  | 'condition'
  /** A cron expression. */
  | 'cron'
  | 'timeZone'
  | 'text'
  /** Options of a command. */
  | 'options'
  /** The id of a flow. */
  | 'flow';

interface TriggerField {
  kind: TriggerFieldKind;
  /** The description of the field in the documentation. */
  words: string;
  isNeeded?: true;
}

/** Every type of trigger, by its name in `on`. */
const triggerTypes: Readonly<
  Record<Trigger['on'], { words: string; fields: Readonly<Record<string, TriggerField>> }>
> = {
  event: {
    words: 'Each event of a type, if the flow may see the event',
    fields: {
      type: { kind: 'eventType', words: 'The type of the event', isNeeded: true },
      where: { kind: 'condition', words: 'A condition on the event' },
    },
  },
  schedule: {
    words: 'A schedule',
    fields: {
      cron: { kind: 'cron', words: 'Minute, hour, day of month, month, day of week', isNeeded: true },
      timeZone: { kind: 'timeZone', words: 'An IANA time zone, such as Europe/Berlin', isNeeded: true },
    },
  },
  command: {
    words: 'A command that people use in the composer',
    fields: {
      command: { kind: 'text', words: 'The text after the slash', isNeeded: true },
      description: { kind: 'text', words: 'Shown in the list of commands' },
      options: { kind: 'options', words: 'Its options' },
    },
  },
  button: {
    words: 'A click on a button, or the use of another element, in a message that a flow sent',
    fields: {
      actionId: { kind: 'text', words: 'The id of the button', isNeeded: true },
      flowId: { kind: 'flow', words: 'The flow that sent the message; this one by default' },
    },
  },
  hook: { words: 'A POST request to a URL of the flow', fields: {} },
  manual: { words: 'Started manually only', fields: {} },
};

const MAX_TEXT_CHARACTERS = 100;

/**
 * Flows do not receive events for these audiences: they concern one person, platform admins or a single file.
 */
const unheard = new Set<EventKind['audience']>(['owner', 'self', 'person', 'platform', 'attachment']);

/**
 * Whether events of this kind can start a flow. Events about flow runs cannot, because a flow could then
 * start itself forever.
 */
const isTriggering = (kind: EventKind | undefined): kind is EventKind =>
  kind !== undefined &&
  !kind.live &&
  kind.log === 'server' &&
  kind.noun !== 'flowRun' &&
  !unheard.has(kind.audience);

export const shown = (value: unknown): string => (JSON.stringify(value) ?? 'nothing').slice(0, 100);

/** The field kinds whose validation reports missing values. */
const alwaysChecked: ReadonlySet<TriggerFieldKind> = new Set(['eventType', 'cron', 'timeZone']);

/** Throws INVALID_REQUEST at the first invalid part unless this is a valid trigger. */
export function requireTrigger(given: unknown, events: EventTable, now: number): void {
  if (!isObject(given)) throw invalid('wrong_type', 'trigger', 'must be an object');
  const { on } = given;
  if (typeof on !== 'string' || !Object.hasOwn(triggerTypes, on))
    throw invalid(
      'unknown_value',
      'trigger.on',
      `${shown(on)} is not a trigger. The triggers are ${Object.keys(triggerTypes).join(', ')}`,
    );
  const { fields } = triggerTypes[on as Trigger['on']];
  for (const [name, { kind, isNeeded }] of Object.entries(fields)) {
    const path = `trigger.${name}`;
    const value = given[name];
    if (isGiven(value) || alwaysChecked.has(kind) || (kind === 'condition' && value !== undefined))
      checks[kind](value, path, events);
    else if (isNeeded) throw invalid('missing', path, 'is required');
  }
  if (on === 'schedule' && nextTime(given as { cron: string; timeZone: string }, now) === undefined)
    throw invalid('out_of_range', 'trigger.cron', 'never occurs');
}

/** Throws INVALID_REQUEST unless this is an event type that flows may receive. */
export function requireEventType(value: unknown, path: string, events: EventTable): void {
  if (isTriggering(events.find(String(value)))) return;
  throw invalid('unknown_value', path, `${shown(value)} is not an event that can start a flow`);
}

/** Throws INVALID_REQUEST unless this is a valid condition. */
export function conditionIn(given: unknown, path: string): void {
  try {
    requireCondition(given, path);
  } catch (error) {
    if (error instanceof ConditionProblem) throw invalid('wrong_form', error.path, error.message);
    throw error;
  }
}

const checks: Record<TriggerFieldKind, (value: unknown, path: string, events: EventTable) => void> = {
  eventType: requireEventType,
  condition: conditionIn,
  cron(value, path) {
    if (typeof value === 'string' && value.length <= 200 && isCron(value)) return;
    throw invalid(
      'wrong_form',
      path,
      'must be a cron expression with five fields: minute, hour, day of month, month, day of week',
    );
  },
  timeZone(value, path) {
    if (typeof value === 'string' && isTimeZone(value)) return;
    throw invalid('unknown_value', path, 'must be an IANA time zone, such as Europe/Berlin');
  },
  text: requireText,
  flow: requireText,
  // The options are validated with the command.
  options(value, path) {
    if (!Array.isArray(value)) throw invalid('wrong_type', path, 'must be a list of options');
  },
};

function requireText(value: unknown, path: string): void {
  if (typeof value !== 'string') throw invalid('wrong_type', path, 'must be text');
  if (value.length > MAX_TEXT_CHARACTERS)
    throw invalid('too_long', path, `must be at most ${MAX_TEXT_CHARACTERS} characters`);
}
