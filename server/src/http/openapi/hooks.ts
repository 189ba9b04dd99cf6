import { HOOK_PREFIX, type Suffix, suffixes } from '../../payloads/suffixes.ts';
import { headersOf, limited, refTo } from './answers.ts';

/** The URL suffix. `any` means no suffix, which accepts all formats. */
type Form = 'any' | Suffix;

const text = (description: string) => ({ type: 'string', description });
const list = (description: string) => ({ type: 'array', items: { type: 'object' }, description });

const slack = {
  text: text("Text in Slack's mrkdwn"),
  blocks: list("Slack's blocks"),
  attachments: list("Slack's attachments"),
};
const discord = { content: text("Text in Discord's Markdown"), embeds: list("Discord's embeds") };
const plain = {
  title: text('Plain text, shown in bold'),
  message: text('CommonMark'),
  msg: text('Same as `message`'),
};

interface Described {
  id: string;
  summary: string;
  description: string;
  properties: Record<string, object>;
  examples: Record<string, object>;
}

const deployed = { text: 'Build 7 is *done*: <https://ci.example.com/7|log>' };
const embedded = {
  content: 'Build 7 is **done**',
  embeds: [{ title: 'Log', url: 'https://ci.example.com/7' }],
};

const forms: Record<Form, Described> = {
  any: {
    id: 'hookPost',
    summary: 'Post a message from another program',
    description:
      'Palaver detects the format from the event header (such as `X-GitHub-Event`) or from the fields of the body. It accepts the formats of Slack, Discord, GitHub, Gitea, GitLab, Grafana, Alertmanager and other services, and plain bodies with `message`, `msg` or `title`. Files in a multipart form are attached to the message.',
    properties: { ...plain, ...slack, ...discord },
    examples: {
      Plain: { title: 'Backup', message: 'took 3 minutes' },
      'As-to-Slack': deployed,
      'As-to-Discord': embedded,
    },
  },
  slack: {
    id: 'hookPostSlack',
    summary: "Post a message in Slack's format",
    description: "Takes the same body as Slack's incoming webhooks.",
    properties: slack,
    examples: { Example: deployed },
  },
  discord: {
    id: 'hookPostDiscord',
    summary: "Post a message in Discord's format",
    description: "Takes the same body as Discord's webhooks.",
    properties: discord,
    examples: { Example: embedded },
  },
  github: {
    id: 'hookPostGithub',
    summary: 'Receive a GitHub event',
    description: 'The body is a GitHub webhook event, named by the `X-GitHub-Event` header.',
    properties: {},
    examples: {
      Example: {
        action: 'opened',
        issue: {
          number: 7,
          title: 'The door is stuck',
          html_url: 'https://github.com/example/house/issues/7',
        },
        repository: { full_name: 'example/house', html_url: 'https://github.com/example/house' },
        sender: { login: 'ada' },
      },
    },
  },
};

const githubEvent = {
  in: 'header',
  name: 'X-GitHub-Event',
  description: 'The name of the event',
  schema: { type: 'string' },
  example: 'issues',
};

const wait = {
  in: 'query',
  name: 'wait',
  description: "`true` returns the message, in Discord's format",
  schema: { type: 'boolean', default: false },
};

const token = {
  in: 'path',
  name: 'token',
  required: true,
  description: 'The `token` of an incoming webhook. Keep it secret: anyone who has it can post',
  schema: { type: 'string' },
  example: 'hook_plv_7tLm2Kq',
};

const refused = {
  400: 'InvalidRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  413: 'InvalidRequest',
  429: 'RateLimited',
  500: 'InternalError',
  503: 'Unavailable',
};

/** The response in Slack's format. */
const ok = { 'text/plain': { schema: { type: 'string', enum: ['ok'] }, example: 'ok' } };

/** The response to `wait=true` in Discord's format. */
const sent = { 'application/json': { schema: { type: 'object', additionalProperties: true } } };

/** The URLs of incoming webhooks, as paths in the document. */
export const hookPaths: Record<string, object> = Object.fromEntries(
  [undefined, ...suffixes].map((suffix) => [
    `${HOOK_PREFIX}{token}${suffix ? `/${suffix}` : ''}`,
    { post: describe(suffix ?? 'any') },
  ]),
);

function describe(form: Form): object {
  const { id, summary, description, properties, examples } = forms[form];
  const answered = headersOf(['X-Request-Id', ...limited, 'Idempotency-Replayed']);
  return {
    operationId: id,
    tags: ['webhook'],
    summary,
    description: `${description}

Needs no key: the token in the URL is the secret. Other fields are ignored.

**Permission:** that of the webhook's role.

**Limit:** message, for the webhook's agent.`,
    security: [],
    parameters: [
      token,
      ...(form === 'github' ? [githubEvent] : []),
      ...(form === 'discord' || form === 'any' ? [wait] : []),
      refTo('parameters', 'IdempotencyKey'),
    ],
    requestBody: { required: true, content: contentOf(form, properties, examples) },
    responses: {
      ...(form === 'discord'
        ? {
            200: { description: 'The message was sent, with `wait=true`', headers: answered, content: sent },
            204: { description: 'The message was sent', headers: answered },
          }
        : {
            200: {
              description: 'The message was sent',
              headers: answered,
              content: form === 'any' ? { ...ok, ...sent } : ok,
            },
          }),
      ...Object.fromEntries(
        Object.entries(refused).map(([status, name]) => [status, refTo('responses', name)]),
      ),
    },
  };
}

function contentOf(form: Form, properties: Record<string, object>, examples: Described['examples']): object {
  const schema = { type: 'object', additionalProperties: true, properties };
  const named = Object.entries(examples).map(([name, value]) => [name, { value }]);
  const json = { 'application/json': { schema, examples: Object.fromEntries(named) } };
  const payload = text('The body as JSON');
  const fields = form === 'discord' ? { payload_json: payload } : { payload };
  const encoded = {
    'application/x-www-form-urlencoded': {
      schema: { type: 'object', additionalProperties: true, properties: fields },
    },
  };
  if (form !== 'any') return { ...json, ...encoded };
  return { ...json, ...encoded, 'text/plain': { schema: text('CommonMark'), example: 'Build 7 is done' } };
}
