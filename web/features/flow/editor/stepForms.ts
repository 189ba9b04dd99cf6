import { flowEditor } from '../../../strings/en/flowEditor.ts';
import type { IconName } from '../../../ui/icons.ts';
import type { Fields } from './draft.ts';
import type { ValueKind } from './values.ts';

type Words = typeof flowEditor.fields;

export type FieldForm = {
  name: string;
  label: keyof Words;
  isOptional?: true;
  /** Hidden behind “More options” while it has no value. */
  isMore?: true;
} & (
  | { form: 'value'; kind: Exclude<ValueKind, 'emoji' | 'text'> }
  | {
      form:
        | 'line'
        | 'text'
        | 'url'
        | 'emoji'
        | 'flow'
        | 'duration'
        | 'flag'
        | 'list'
        | 'pairs'
        | 'json'
        | 'condition'
        | 'event'
        | 'buttons'
        | 'number';
    }
  | { form: 'choice'; options: readonly string[] }
);

/** The form of a step type. Nested lists of steps have no field. */
export interface StepForm {
  icon: IconName;
  fields: readonly FieldForm[];
}

const more = { isOptional: true, isMore: true } as const;

const channel: FieldForm = { name: 'channelId', label: 'channel', form: 'value', kind: 'channel' };
const message: FieldForm = { name: 'messageId', label: 'message', form: 'value', kind: 'message' };
const content: FieldForm = { name: 'content', label: 'content', form: 'text' };
const member: FieldForm = { name: 'userId', label: 'person', form: 'value', kind: 'user' };
const role: FieldForm = { name: 'roleId', label: 'role', form: 'value', kind: 'role' };
const blocks: FieldForm = { name: 'blocks', label: 'blocks', form: 'list', ...more };
const title: FieldForm = { name: 'title', label: 'title', form: 'line' };

/** Every step type that has a form, by its name in `do`, in menu order. */
export const stepForms: Readonly<Record<string, StepForm>> = {
  'message.send': {
    icon: 'message-square',
    fields: [
      channel,
      content,
      { name: 'threadId', label: 'thread', form: 'value', kind: 'thread', ...more },
      { name: 'replyToId', label: 'replyTo', form: 'value', kind: 'message', ...more },
      { ...member, label: 'direct', ...more },
      blocks,
    ],
  },
  'message.update': { icon: 'pencil', fields: [message, content, blocks] },
  'reaction.add': { icon: 'smile', fields: [message, { name: 'emoji', label: 'emoji', form: 'emoji' }] },
  'pin.add': { icon: 'pin', fields: [message] },
  'thread.create': {
    icon: 'messages-square',
    fields: [message, { ...title, isOptional: true }, { ...channel, ...more }],
  },
  'role.give': { icon: 'shield', fields: [member, role] },
  'role.take': { icon: 'shield', fields: [member, role] },
  'channel.create': {
    icon: 'hash',
    fields: [
      title,
      { name: 'description', label: 'description', form: 'line', isOptional: true },
      { name: 'private', label: 'private', form: 'flag' },
      { name: 'readonly', label: 'readonly', form: 'flag' },
      { name: 'roleIds', label: 'roles', form: 'list', ...more },
    ],
  },
  wait: {
    icon: 'clock',
    fields: [
      { name: 'seconds', label: 'seconds', form: 'duration' },
      { name: 'until', label: 'until', form: 'line', ...more },
      { name: 'event', label: 'event', form: 'event', ...more },
    ],
  },
  ask: {
    icon: 'circle-check',
    fields: [
      channel,
      { ...content, label: 'question' },
      { name: 'buttons', label: 'buttons', form: 'buttons' },
      { ...role, label: 'askedRole', isOptional: true },
      { name: 'deciders', label: 'deciders', form: 'number', isOptional: true },
      { name: 'seconds', label: 'timeout', form: 'duration', isOptional: true },
      { ...member, label: 'askedPerson', ...more },
      { name: 'threadId', label: 'thread', form: 'value', kind: 'thread', ...more },
      { name: 'form', label: 'form', form: 'json', ...more },
      { name: 'timeoutText', label: 'timeoutText', form: 'line', ...more },
    ],
  },
  if: { icon: 'list-filter', fields: [{ name: 'where', label: 'where', form: 'condition' }] },
  each: { icon: 'list', fields: [{ name: 'items', label: 'items', form: 'list' }] },
  set: { icon: 'save', fields: [{ name: 'values', label: 'values', form: 'pairs' }] },
  'http.call': {
    icon: 'globe',
    fields: [
      {
        ...{ name: 'method', label: 'method', form: 'choice' },
        options: ['POST', 'GET', 'PUT', 'PATCH', 'DELETE'],
      },
      { name: 'url', label: 'url', form: 'url' },
      { name: 'headers', label: 'headers', form: 'pairs', ...more },
      { name: 'json', label: 'json', form: 'json', isOptional: true },
      { name: 'sign', label: 'sign', form: 'line', ...more },
    ],
  },
  'flow.call': {
    icon: 'zap',
    fields: [
      { name: 'flowId', label: 'flow', form: 'flow' },
      { name: 'input', label: 'input', form: 'pairs', isOptional: true },
    ],
  },
};

/** The fields that a new step starts with, by its type. */
export const firstFields: Readonly<Record<string, Fields>> = {
  wait: { seconds: 3600 },
  if: { where: { path: 'event.data.content', contains: '' } },
  set: { values: {} },
  ask: {
    buttons: [
      { id: 'yes', text: flowEditor.yes },
      { id: 'no', text: flowEditor.no },
    ],
  },
};
