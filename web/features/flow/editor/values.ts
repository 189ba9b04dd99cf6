import { flowEditor as t } from '../../../strings/en/flowEditor.ts';
import { branches, type Draft, type DraftStep, isFields } from './draft.ts';

/** The kind of a value, which determines the fields that offer it: a channel field only offers channels. */
export type ValueKind = 'channel' | 'user' | 'role' | 'message' | 'thread' | 'emoji' | 'text';

/** A value that templates can insert. */
export interface Insertable {
  /** The value's path, such as `event.data.content`. */
  path: string;
  label: string;
  kind: ValueKind;
}

type What = keyof typeof t.values;
type Field = readonly [field: string, what: What, kind: ValueKind];

const channelId: Field = ['channelId', 'channel', 'channel'];
const messageId: Field = ['messageId', 'message', 'message'];
const creatorId: Field = ['creatorId', 'author', 'user'];
const userId: Field = ['userId', 'person', 'user'];
const emoji: Field = ['emoji', 'emoji', 'emoji'];
const name: Field = ['name', 'name', 'text'];

/** The fields of records that are useful in templates, by noun. */
const fieldsOf: Readonly<Record<string, readonly Field[]>> = {
  message: [
    ['content', 'content', 'text'],
    ['id', 'message', 'message'],
    channelId,
    creatorId,
    ['threadId', 'thread', 'thread'],
  ],
  reaction: [emoji, messageId, channelId, userId],
  thread: [['id', 'thread', 'thread'], name, channelId, messageId, creatorId],
  pin: [messageId, channelId, ['creatorId', 'person', 'user']],
  channel: [['id', 'channel', 'channel'], name, ['description', 'description', 'text'], creatorId],
  serverMember: [
    userId,
    ['user.name', 'name', 'text'],
    ['user.username', 'username', 'text'],
    ['nickname', 'nickname', 'text'],
    ['user.type', 'accountType', 'text'],
  ],
  userRole: [userId, ['roleId', 'role', 'role']],
  role: [['id', 'role', 'role'], name],
  invite: [['code', 'code', 'text'], creatorId],
  serverBan: [userId, ['reason', 'reason', 'text'], ['creatorId', 'moderator', 'user']],
  report: [messageId, channelId, ['authorId', 'author', 'user'], ['creatorId', 'person', 'user']],
  emoji: [name],
};

/** The triggers that have a form, in order. */
export const triggerKinds = ['event', 'schedule', 'command', 'button', 'hook', 'manual'] as const;

/** The event types that the form offers, in order. Others can be typed. */
export const eventTypes = [
  'message.created',
  'message.updated',
  'message.deleted',
  'reaction.created',
  'reaction.deleted',
  'serverMember.created',
  'serverMember.deleted',
  'userRole.created',
  'userRole.deleted',
  'thread.created',
  'pin.created',
  'pin.deleted',
  'channel.created',
  'channel.updated',
  'channel.deleted',
  'invite.created',
  'emoji.created',
  'approval.decided',
  'report.created',
  'serverBan.created',
  'serverBan.deleted',
] as const satisfies readonly (keyof typeof t.events)[];

const outputsOf: Readonly<Record<string, readonly Field[]>> = {
  'message.send': [['id', 'message', 'message'], ['content', 'content', 'text'], channelId],
  'message.update': [['id', 'message', 'message']],
  'thread.create': [['id', 'thread', 'thread'], name, channelId],
  'channel.create': [['id', 'channel', 'channel'], name],
  ask: [
    ['answer', 'answer', 'text'],
    ['values', 'answers', 'text'],
    ['timedOut', 'timedOut', 'text'],
  ],
  wait: [['timedOut', 'timedOut', 'text']],
  'http.call': [
    ['status', 'status', 'text'],
    ['json', 'json', 'text'],
    ['text', 'text', 'text'],
  ],
};

export function valuesOfEvent(type: unknown): Insertable[] {
  const [noun = ''] = String(type).split('.');
  return [
    ...(fieldsOf[noun] ?? []).map(([field, what, kind]) => ({
      path: `event.data.${field}`,
      label: t.ofEvent({ what: t.values[what] }),
      kind,
    })),
    { path: 'event.actorId', label: t.values.actor, kind: 'user' },
  ];
}

/** The values that every interaction provides. */
const ofInteraction: readonly Insertable[] = [
  { path: 'event.data.userId', label: t.values.actor, kind: 'user' },
  { path: 'event.data.channelId', label: t.ofEvent({ what: t.values.channel }), kind: 'channel' },
];

function valuesOfInteraction({ on, options }: Draft['trigger']): Insertable[] {
  const names = on === 'button' ? ['value'] : namesOf(options);
  return [
    ...names.map(
      (field): Insertable => ({ path: `input.${field}`, label: t.ofInput({ field }), kind: 'text' }),
    ),
    ...ofInteraction,
    ...(on === 'button'
      ? [
          {
            path: 'event.data.messageId',
            label: t.ofEvent({ what: t.values.message }),
            kind: 'message' as const,
          },
        ]
      : []),
  ];
}

const namesOf = (options: unknown): string[] =>
  Array.isArray(options)
    ? options.flatMap((option) => (typeof option?.name === 'string' ? [option.name] : []))
    : [];

export function valuesOfTrigger({ trigger }: Pick<Draft, 'trigger'>): Insertable[] {
  if (trigger.on === 'command' || trigger.on === 'button') return valuesOfInteraction(trigger);
  if (trigger.on === 'event') return valuesOfEvent(trigger.type);
  if (trigger.on === 'schedule') return [];
  return [{ path: 'input.text', label: t.values.input, kind: 'text' }];
}

const everywhere: readonly Insertable[] = [
  { path: 'now', label: t.values.now, kind: 'text' },
  { path: 'flow.name', label: t.values.flow, kind: 'text' },
];

/** The values that a step provides to later ones. */
function valuesOfStep({ fields }: DraftStep): Insertable[] {
  const { name: step, do: type } = fields;
  if (typeof step !== 'string') return [];
  const value = (field: string, what: string, kind: ValueKind): Insertable => ({
    path: `steps.${step}.output.${field}`,
    label: t.ofStep({ what, step }),
    kind,
  });
  if (type === 'set')
    return Object.keys(isFields(fields.values) ? fields.values : {}).map((key) => value(key, key, 'text'));
  if (type === 'wait' && fields.event === undefined) return [];
  return (outputsOf[String(type)] ?? []).map(([field, what, kind]) => value(field, t.values[what], kind));
}

/** The values of the trigger and of all steps before the step with this key, or of all steps if no key is given. */
export function valuesBefore(draft: Draft, key?: number): Insertable[] {
  const found: Insertable[] = valuesOfTrigger(draft);
  let isInEach = false;
  const visit = (steps: readonly DraftStep[]): boolean => {
    for (const step of steps) {
      if (step.key === key) return true;
      for (const branch of branches) {
        if (!visit(step.inner[branch] ?? [])) continue;
        isInEach ||= branch === 'steps';
        return true;
      }
      found.push(...valuesOfStep(step));
    }
    return false;
  };
  visit(draft.steps);
  const items: Insertable[] = isInEach
    ? [
        { path: 'item', label: t.values.item, kind: 'text' },
        { path: 'index', label: t.values.index, kind: 'text' },
      ]
    : [];
  return [...items, ...found, ...everywhere];
}

/** The path in a template that consists of a single value; undefined for other text. */
export const pathIn = (text: unknown): string | undefined =>
  typeof text === 'string' ? /^\{\{\s*([\w.-]+)\s*\}\}$/.exec(text)?.[1] : undefined;

export const insert = (path: string): string => `{{${path}}}`;
