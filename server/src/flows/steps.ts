import type { Flag } from '../lib/flags.ts';

/** What a field of a step contains. Texts are templates, unless it says otherwise. */
export type FieldKind =
  /** The id of a record. */
  | 'id'
  | 'text'
  /** The name of a secret; no template. */
  | 'name'
  /** A URL whose host is written out. */
  | 'url'
  /** JSON with templates in its texts. */
  | 'json'
  /** An object of texts. */
  | 'texts'
  /** An object of JSON with templates. */
  | 'values'
  | 'flag'
  /** A list, or a template that inserts one. */
  | 'list'
  | 'condition'
  | 'steps'
  | { readonly from: number; readonly to: number }
  /** One of these words; no template. */
  | readonly string[];

export interface Field {
  kind: FieldKind;
  /** What it is for, in the documentation. */
  words: string;
  isNeeded?: true;
}

/** The fields of a step after its templates were filled in. */
export type Filled = Readonly<Record<string, unknown>>;

/** What a step that writes may use. */
export interface Writing {
  /** Performs an operation as the flow's agent, in the same write. Returns its record. */
  perform(operation: string, input: { params?: Record<string, string>; body?: object }): Promise<object>;
  /** The id of the record that gives a member a role. Throws NOT_FOUND. */
  roleOf(userId: string, roleId: string): Promise<string | undefined>;
  /** Starts a run of another flow. Returns its record. */
  call(flowId: string, input: unknown): Promise<object>;
}

/** A type of step. */
export type StepType = {
  /** What it does, in the documentation. */
  words: string;
  fields: Readonly<Record<string, Field>>;
  /** The flags that its operation needs. */
  flags?: readonly Flag[];
  /** Checks what the kinds of fields cannot express. Returns what is wrong, and in which field. */
  problemIn?(step: Filled): { field: string; message: string } | undefined;
} & (
  | {
      does: 'write';
      /** Performs operations. Returns the output. */
      run(writing: Writing, step: Filled): Promise<object>;
    }
  | { does: 'compute'; run(step: Filled): object }
  | { does: 'wait' | 'branch' | 'each' | 'call' }
);

const field = (kind: FieldKind, words: string): Field => ({ kind, words });
const needed = (kind: FieldKind, words: string): Field => ({ kind, words, isNeeded: true });

/** The fields that have a value, for a body. */
const filled = (step: Filled, ...names: string[]): object =>
  Object.fromEntries(names.flatMap((name) => (isGiven(step[name]) ? [[name, step[name]]] : [])));

export const isGiven = (value: unknown): boolean => value !== undefined && value !== null && value !== '';

const place = ['channelId', 'threadId', 'replyToId'];

/** Steps that write messages and what hangs on them. */
const messageSteps = {
  'message.send': {
    words: 'Sends a message to a channel or thread',
    fields: {
      channelId: field('id', 'The channel'),
      threadId: field('id', 'The thread, instead of a channel'),
      replyToId: field('id', 'The message it replies to'),
      content: needed('text', 'The text of the message'),
      blocks: field('list', 'Blocks, such as buttons'),
    },
    flags: ['canEditData'],
    problemIn: (step) =>
      isGiven(step.channelId) || isGiven(step.threadId)
        ? undefined
        : { field: 'channelId', message: 'is required without threadId' },
    does: 'write',
    run: ({ perform }, step) => perform('messageSend', { body: filled(step, ...place, 'content', 'blocks') }),
  },
  'message.update': {
    words: 'Edits a message that the flow sent',
    fields: {
      messageId: needed('id', 'The message'),
      content: needed('text', 'The new text'),
      blocks: field('list', 'The new blocks. An empty list removes them'),
    },
    flags: ['canEditData'],
    does: 'write',
    run: ({ perform }, { messageId, ...step }) =>
      perform('messageSave', { params: { id: String(messageId) }, body: filled(step, 'content', 'blocks') }),
  },
  'reaction.add': {
    words: 'Reacts to a message',
    fields: { messageId: needed('id', 'The message'), emoji: needed('text', 'The emoji') },
    flags: ['canEditData'],
    does: 'write',
    run: ({ perform }, step) => perform('reactionInsert', { body: filled(step, 'messageId', 'emoji') }),
  },
  'pin.add': {
    words: 'Pins a message',
    fields: { messageId: needed('id', 'The message') },
    flags: ['canEditChannel'],
    does: 'write',
    run: ({ perform }, step) => perform('pinInsert', { body: filled(step, 'messageId') }),
  },
  'thread.create': {
    words: 'Starts a thread on a message, or in a channel',
    fields: {
      messageId: field('id', 'The message'),
      channelId: field('id', 'The channel, without a message'),
      title: field('text', 'The name of the thread'),
    },
    flags: ['canEditData'],
    problemIn: (step) =>
      isGiven(step.channelId) || isGiven(step.messageId)
        ? undefined
        : { field: 'messageId', message: 'is required without channelId' },
    does: 'write',
    run: ({ perform }, { title, ...step }) =>
      perform('threadInsert', {
        body: { ...filled(step, 'messageId', 'channelId'), ...(isGiven(title) && { name: title }) },
      }),
  },
} satisfies Record<string, StepType>;

const memberAndRole = { userId: needed('id', 'The member'), roleId: needed('id', 'The role') };

/** Steps that change the server. */
const serverSteps = {
  'role.give': {
    words: 'Gives a member a role that has no flags which the flow lacks',
    fields: memberAndRole,
    flags: ['canAdmin'],
    does: 'write',
    run: ({ perform }, step) => perform('userRoleInsert', { body: filled(step, 'userId', 'roleId') }),
  },
  'role.take': {
    words: 'Takes a role from a member',
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
      description: field('text', 'What it is for'),
      private: field('flag', 'Whether only some roles see it'),
      readonly: field('flag', 'Whether only moderators write in it'),
      roleIds: field('list', 'The roles that see it, if it is private'),
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
      input: field('values', 'What it reads as `{{input.x}}`'),
    },
    flags: ['canEditApp'],
    does: 'write',
    run: ({ call }, { flowId, input }) => call(String(flowId), input),
  },
} satisfies Record<string, StepType>;

const callSteps = {
  'http.call': {
    words:
      'Sends a request to a public address, at least once. Its secrets go only to the hosts that they name',
    fields: {
      method: field(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'], 'POST by default'),
      url: needed('url', 'An http or https URL'),
      headers: field('texts', 'Further headers'),
      json: field('json', 'The body'),
      sign: field('name', 'The name of a secret that signs the request, as Standard Webhooks'),
    },
    does: 'call',
  },
} satisfies Record<string, StepType>;

/** The longest wait, in seconds. */
const MAX_WAIT_SECONDS = 30 * 24 * 60 * 60;

/** Steps that decide what the flow does next. */
const controlSteps = {
  set: {
    words: 'Keeps values for later steps',
    fields: { values: needed('values', 'The values, by name') },
    does: 'compute',
    run: ({ values }) => values as object,
  },
  if: {
    words: 'Continues with `then` if a condition holds, and with `else` otherwise',
    fields: {
      where: needed('condition', 'The condition'),
      // biome-ignore lint/suspicious/noThenProperty: the name of a field; the object is never awaited
      then: field('steps', 'The steps if it holds'),
      else: field('steps', 'The steps if it does not hold'),
    },
    does: 'branch',
  },
  each: {
    words:
      'Executes its steps for each item of a list of at most 100, which they read as `{{item}}` and `{{index}}`',
    fields: { items: needed('list', 'The list'), steps: needed('steps', 'The steps') },
    does: 'each',
  },
  wait: {
    words: 'Waits, for at most 30 days',
    fields: {
      seconds: field({ from: 1, to: MAX_WAIT_SECONDS }, 'How long'),
      until: field('text', 'A time: milliseconds since the Unix epoch, or ISO 8601 with a time zone'),
    },
    problemIn: (step) =>
      isGiven(step.seconds) === isGiven(step.until)
        ? { field: 'seconds', message: 'or until is required, but not both' }
        : undefined,
    does: 'wait',
  },
} satisfies Record<string, StepType>;

/** Milliseconds since the Unix epoch of a text or number; NaN if it is no time. */
export function timeOf(until: unknown): number {
  if (typeof until === 'number' || /^\d{10,}$/.test(String(until))) return Number(until);
  return Date.parse(String(until));
}

/** Every type of step, by its name in `do`. */
export const stepTypes: Readonly<Record<string, StepType>> = {
  ...messageSteps,
  ...serverSteps,
  ...callSteps,
  ...controlSteps,
};

/** A step as it is stored. */
export interface Step {
  name?: string;
  do: string;
  then?: readonly Step[];
  else?: readonly Step[];
  steps?: readonly Step[];
  [field: string]: unknown;
}

/** The lists of steps within a step. */
export const branches = ['then', 'else', 'steps'] as const;

/** The type of a step that was validated when its flow was saved. */
export const typeOf = ({ do: type }: Step): StepType => stepTypes[type] as StepType;

/** All steps, in order, with those within them. */
export function* allSteps(steps: readonly Step[], path = 'steps'): Generator<{ step: Step; path: string }> {
  for (const [index, step] of steps.entries()) {
    const at = `${path}[${index}]`;
    yield { step, path: at };
    for (const branch of branches) if (step[branch]) yield* allSteps(step[branch], `${at}.${branch}`);
  }
}
