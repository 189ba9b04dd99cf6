import { flowTemplates } from '../../../strings/en/flows.ts';
import type { IconName } from '../../../ui/icons.ts';
import type { NewFields } from '../editor/newFields.ts';

/** The values inserted into templates. */
export interface TemplateContext {
  /** The channel for messages, and another one if there is one. */
  channelId: string;
  otherChannelId: string;
  /** The username of the user who creates the flow. */
  username: string;
  timeZone: string;
}

type Id = keyof typeof flowTemplates;

interface Template {
  id: Id;
  icon: IconName;
  title: string;
  description: string;
  fields: (context: TemplateContext) => NewFields;
}

type Parts = Pick<NewFields, 'trigger' | 'steps'>;

const onMessage = (channelId: string, contains: string) => ({
  on: 'event',
  type: 'message.created',
  where: {
    all: [
      { path: 'event.data.channelId', equals: channelId },
      { path: 'event.data.content', contains },
    ],
  },
});

const send = (name: string, channelId: string, content: string, more: object = {}) => ({
  ...{ name, do: 'message.send', channelId, content },
  ...more,
});

const reply = (name: string, threadId: string, content: string) => ({
  name,
  do: 'message.send',
  threadId,
  content,
});

/** The `then` and `else` branches of an `if` step. */
const branches = (then: readonly object[], otherwise?: readonly object[]): object =>
  Object.fromEntries([['then', then], ...(otherwise ? [['else', otherwise]] : [])]);

const HOUR = 3_600;
const DAY = 24 * HOUR;

const t = flowTemplates;

/** The trigger and steps of each template. */
const parts: { readonly [I in Id]: (context: TemplateContext) => Parts } = {
  welcome: ({ channelId }) => ({
    trigger: {
      ...{ on: 'event', type: 'serverMember.created' },
      // Agents, such as those of new flows, are members, too.
      where: { path: 'event.data.user.type', equals: 'person' },
    },
    steps: [send('welcome', channelId, t.welcome.texts.message({ member: '{{event.data.user.username}}' }))],
  }),
  standup: ({ channelId, timeZone }) => ({
    trigger: { on: 'schedule', cron: '0 9 * * 1-5', timeZone },
    steps: [
      send('question', channelId, t.standup.texts.message),
      {
        ...{ name: 'answers', do: 'thread.create', messageId: '{{steps.question.output.id}}' },
        title: t.standup.texts.thread,
      },
    ],
  }),
  alerts: ({ channelId, otherChannelId }) => ({
    trigger: onMessage(otherChannelId, 'ALERT'),
    steps: [
      send(
        'forward',
        channelId,
        t.alerts.texts.message({ content: '{{event.data.content | truncate: 1000}}' }),
      ),
    ],
  }),
  triage: () => ({
    trigger: {
      ...{ on: 'event', type: 'reaction.created' },
      where: { path: 'event.data.emoji', equals: '👀' },
    },
    steps: [
      {
        ...{ name: 'thread', do: 'thread.create', messageId: '{{event.data.messageId}}' },
        title: t.triage.texts.thread,
      },
      reply('assigned', '{{steps.thread.output.id}}', t.triage.texts.message),
    ],
  }),
  approval: ({ channelId }) => ({
    trigger: onMessage(channelId, '#approve'),
    steps: [
      {
        ...{ name: 'question', do: 'ask', channelId, deciders: 2, seconds: 3 * DAY },
        content: t.approval.texts.question({ content: '{{event.data.content | truncate: 1000}}' }),
        buttons: [
          { id: 'approve', text: t.approval.texts.approve },
          { id: 'decline', text: t.approval.texts.decline },
        ],
      },
      {
        ...{ name: 'decision', do: 'if', where: { path: 'steps.question.output.answer', equals: 'approve' } },
        ...branches(
          [send('approved', channelId, t.approval.texts.approved, { replyToId: '{{event.data.id}}' })],
          [send('declined', channelId, t.approval.texts.declined, { replyToId: '{{event.data.id}}' })],
        ),
      },
    ],
  }),
  questions: ({ channelId }) => ({
    trigger: onMessage(channelId, '?'),
    steps: [
      {
        ...{ name: 'reply', do: 'wait', seconds: 4 * HOUR },
        event: {
          type: 'message.created',
          where: { path: 'event.data.replyToId', equals: '{{event.data.id}}' },
        },
      },
      {
        ...{ name: 'unanswered', do: 'if', where: { path: 'steps.reply.output.timedOut', equals: 'true' } },
        ...branches([
          send('reminder', '{{event.data.channelId}}', t.questions.texts.message, {
            replyToId: '{{event.data.id}}',
          }),
        ]),
      },
    ],
  }),
  rota: ({ channelId, username, timeZone }) => ({
    trigger: { on: 'schedule', cron: '0 9 1 * *', timeZone },
    steps: [
      send('first', channelId, t.rota.texts.message({ username })),
      { name: 'wait', do: 'wait', seconds: 14 * DAY },
      send('second', channelId, t.rota.texts.message({ username })),
    ],
  }),
  digest: ({ channelId, timeZone }) => ({
    trigger: { on: 'schedule', cron: '0 17 * * 5', timeZone },
    steps: [
      { name: 'fetch', do: 'http.call', method: 'GET', url: 'https://api.example.com/news' },
      send('digest', channelId, t.digest.texts.message),
      {
        ...{ name: 'thread', do: 'thread.create', messageId: '{{steps.digest.output.id}}' },
        title: t.digest.texts.thread,
      },
      {
        ...{ name: 'entries', do: 'each', items: '{{steps.fetch.output.json.items}}' },
        steps: [reply('entry', '{{steps.thread.output.id}}', '{{item.title}}')],
      },
    ],
  }),
  form: ({ channelId }) => ({
    trigger: { on: 'hook' },
    steps: [
      send(
        'entry',
        channelId,
        t.form.texts.message({ name: '{{input.name}}', message: '{{input.message}}' }),
      ),
    ],
  }),
  webhook: ({ channelId }) => ({
    trigger: { on: 'hook' },
    steps: [
      send('title', channelId, '{{input.title | default: "Webhook"}}'),
      {
        ...{ name: 'thread', do: 'thread.create', messageId: '{{steps.title.output.id}}' },
        title: t.webhook.texts.thread,
      },
      reply('details', '{{steps.thread.output.id}}', '{{input | json | truncate: 1500}}'),
    ],
  }),
};

const icons: { readonly [I in Id]: IconName } = {
  welcome: 'users',
  standup: 'clock',
  alerts: 'forward',
  triage: 'smile',
  approval: 'circle-check',
  questions: 'bell',
  rota: 'calendar',
  digest: 'list',
  form: 'file-text',
  webhook: 'webhook',
};

/** The flow templates, in display order. */
export const templates: readonly Template[] = (Object.keys(parts) as Id[]).map((id) => {
  const { title, description } = t[id];
  return {
    ...{ id, title, description, icon: icons[id] },
    fields: (context) => ({ name: title, description, ...parts[id](context) }),
  };
});
