import { askSteps } from './askStep.ts';
import { messageSteps } from './messageSteps.ts';
import { field, filled, isGiven, MAX_WAIT_SECONDS, needed, type StepType } from './stepType.ts';

export { type Field, type FieldKind, type Filled, isGiven, type StepType, type Writing } from './stepType.ts';

const memberAndRole = { userId: needed('id', 'The member'), roleId: needed('id', 'The role') };

/** Steps that change the server. */
const serverSteps = {
  'role.give': {
    words: 'Assigns a role to a member. The flow must have all flags of the role',
    fields: memberAndRole,
    flags: ['canAdmin'],
    does: 'write',
    run: ({ perform }, step) => perform('userRoleInsert', { body: filled(step, 'userId', 'roleId') }),
  },
  'role.take': {
    words: 'Removes a role from a member',
    fields: memberAndRole,
    flags: ['canAdmin'],
    does: 'write',
    async run({ perform, roleOf }, { userId, roleId }) {
      const id = await roleOf(String(userId), String(roleId));
      return id === undefined ? { userId, roleId } : perform('userRoleDelete', { params: { id } });
    },
  },
  'channel.create': {
    words: 'Creates a channel',
    fields: {
      title: needed('text', 'The name of the channel'),
      description: field('text', 'The purpose of the channel'),
      private: field('flag', 'Whether only some roles can see the channel'),
      readonly: field('flag', 'Whether only moderators can post'),
      roleIds: field('list', 'The roles that can see the channel, if it is private'),
    },
    flags: ['canEditChannel'],
    does: 'write',
    run: ({ perform }, { title, ...step }) =>
      perform('channelInsert', {
        body: { name: title, ...filled(step, 'description', 'private', 'readonly', 'roleIds') },
      }),
  },
  'flow.call': {
    words: 'Starts a run of another flow of the server, and continues without waiting for it',
    fields: {
      flowId: needed('id', 'The flow'),
      input: field('values', 'The input of the run, available as `{{input.x}}`'),
    },
    flags: ['canEditApp'],
    does: 'write',
    run: ({ call }, { flowId, input }) => call(String(flowId), input),
  },
} satisfies Record<string, StepType>;

const callSteps = {
  'http.call': {
    words:
      'Sends a request to a public address, at least once. Secrets are sent only to the hosts that they list',
    fields: {
      method: field(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'], 'The method; POST by default'),
      url: needed('url', 'An http or https URL'),
      headers: field('texts', 'Additional headers'),
      json: field('json', 'The body'),
      sign: field('name', 'The name of a secret that signs the request as Standard Webhooks specifies'),
    },
    does: 'call',
  },
} satisfies Record<string, StepType>;

/** Steps for control flow. */
const controlSteps = {
  set: {
    words: 'Stores values for later steps',
    fields: { values: needed('values', 'The values, by name') },
    does: 'compute',
    run: ({ values }) => values as object,
  },
  if: {
    words: 'Runs the steps in `then` if a condition is true, and those in `else` otherwise',
    fields: {
      where: needed('condition', 'The condition'),
      // biome-ignore lint/suspicious/noThenProperty: the name of a field; the object is never awaited
      then: field('steps', 'The steps to run if the condition is true'),
      else: field('steps', 'The steps to run if the condition is false'),
    },
    does: 'branch',
  },
  each: {
    words:
      'Executes steps for each item of a list of at most 100 items. The steps read the item as `{{item}}` and its index as `{{index}}`',
    fields: { items: needed('list', 'The list'), steps: needed('steps', 'The steps') },
    does: 'each',
  },
  wait: {
    words: 'Waits for some time or an event, for at most 30 days',
    fields: {
      seconds: field(
        { from: 1, to: MAX_WAIT_SECONDS },
        'How long to wait, in seconds. If `event` is set, the maximum wait',
      ),
      until: field('text', 'A time: milliseconds since the Unix epoch, or ISO 8601 with a time zone'),
      event: field('event', 'The event to wait for. The condition reads it as `event`'),
    },
    problemIn(step) {
      if (isGiven(step.seconds) && isGiven(step.until))
        return { field: 'seconds', message: 'cannot be combined with until' };
      return isGiven(step.seconds) || isGiven(step.until) || isGiven(step.event)
        ? undefined
        : { field: 'seconds', message: 'is required without until or event' };
    },
    does: 'wait',
  },
} satisfies Record<string, StepType>;

/** Converts a text or number to milliseconds since the Unix epoch; NaN if it is not a time. */
export function timeOf(until: unknown): number {
  if (typeof until === 'number' || /^\d{10,}$/.test(String(until))) return Number(until);
  return Date.parse(String(until));
}

/** Every type of step, by its name in `do`. */
export const stepTypes: Readonly<Record<string, StepType>> = {
  ...messageSteps,
  ...serverSteps,
  ...askSteps,
  ...callSteps,
  ...controlSteps,
};

/** A stored step. */
export interface Step {
  name?: string;
  do: string;
  then?: readonly Step[];
  else?: readonly Step[];
  steps?: readonly Step[];
  [field: string]: unknown;
}

/** The fields of a step that contain nested lists of steps. */
export const branches = ['then', 'else', 'steps'] as const;

/** Whether a step waits for an event. */
export const isEventWait = (step: Step | undefined): boolean => step?.do === 'wait' && isGiven(step.event);

/** Returns the type of a step. The step was validated when its flow was saved. */
export const typeOf = ({ do: type }: Step): StepType => stepTypes[type] as StepType;

/** Returns all steps of a validated flow, including nested ones, in order. */
export function* allSteps(steps: readonly Step[], path = 'steps'): Generator<{ step: Step; path: string }> {
  for (const [index, step] of steps.entries()) {
    const at = `${path}[${index}]`;
    yield { step, path: at };
    const { fields } = typeOf(step);
    for (const branch of branches)
      if (fields[branch] && step[branch]) yield* allSteps(step[branch], `${at}.${branch}`);
  }
}
