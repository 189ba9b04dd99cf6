import { createHmac, randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyReply } from 'fastify';
import type { McpExtension } from '../../server/src/http/mcp/mount.ts';
import { codes, type Message, RpcError, resultFor } from '../../server/src/http/mcp/protocol.ts';
import type { Json } from './world.ts';

// The tools, prompts and resources that MCP's conformance suite requests, under the names it expects.

const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';
const WAV = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=';

const text = (text: string): Json => ({ type: 'text', text });
const image = { type: 'image', data: PNG, mimeType: 'image/png' };
const resource = (uri: string, mimeType: string, text: string): Json => ({
  type: 'resource',
  resource: { uri, mimeType, text },
});
const said = (words: string): Json => ({ content: [text(words)] });

/** A question to the client's user. */
const elicitation = (message: string, field: string, type = 'string'): Json => ({
  method: 'elicitation/create',
  params: {
    message,
    requestedSchema: { type: 'object', properties: { [field]: { type } }, required: [field] },
  },
});
const sampling = (question: string): Json => ({
  method: 'sampling/createMessage',
  params: { messages: [{ role: 'user', content: text(question) }], maxTokens: 100 },
});
const roots = { method: 'roots/list', params: {} };

const key = randomBytes(32);
const sealed = (state: string): string => `${state}.${createHmac('sha256', key).update(state).digest('hex')}`;
/** The state in a client's answer. Throws RpcError if the client changed it. */
function opened(given: unknown): string {
  const state = String(given).split('.')[0] as string;
  if (given !== sealed(state)) throw new RpcError(codes.invalidParams, 'the requestState was changed');
  return state;
}

type Params = Message['params'];
const ask = (inputRequests: Json, state?: string): Json => ({
  resultType: 'input_required',
  inputRequests,
  ...(state && { requestState: sealed(state) }),
});
const contentOf = (params: Params, name: string): Json => params.inputResponses?.[name]?.content;
const capabilitiesOf = ({ _meta = {} }: Params): Json =>
  _meta['io.modelcontextprotocol/clientCapabilities'] ?? {};

const asksName = { user_name: elicitation('What is your name?', 'name') };

const answers: Record<string, (params: Params) => Json> = {
  test_simple_text: () => said('This is a simple text response for testing.'),
  test_image_content: () => ({ content: [image] }),
  test_audio_content: () => ({ content: [{ type: 'audio', data: WAV, mimeType: 'audio/wav' }] }),
  test_embedded_resource: () => ({
    content: [resource('test://embedded-resource', 'text/plain', 'This is an embedded resource content.')],
  }),
  test_multiple_content_types: () => ({
    content: [
      text('Multiple content types test:'),
      image,
      resource('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}'),
    ],
  }),
  test_error_handling: () => ({
    ...said('This tool intentionally returns an error for testing'),
    isError: true,
  }),
  test_logging_tool: () => said('Nothing was logged'),
  test_streaming_elicitation: () => ask(asksName),
  test_missing_capability(params) {
    if (!capabilitiesOf(params).sampling)
      throw new RpcError(codes.missingCapability, 'the client must support sampling', 400, {
        requiredCapabilities: { sampling: {} },
      });
    return said('The client supports sampling');
  },
  test_input_required_result_elicitation(params) {
    const name = contentOf(params, 'user_name')?.name;
    return name === undefined ? ask(asksName) : said(`Hello, ${name}!`);
  },
  test_input_required_result_sampling({ inputResponses = {} }) {
    const words = inputResponses?.capital_question?.content?.text;
    return words === undefined
      ? ask({ capital_question: sampling('What is the capital of France?') })
      : said(words);
  },
  test_input_required_result_list_roots({ inputResponses = {} }) {
    const listed = inputResponses?.client_roots?.roots;
    return listed === undefined ? ask({ client_roots: roots }) : said(JSON.stringify(listed));
  },
  test_input_required_result_request_state(params) {
    if (!params.inputResponses)
      return ask({ confirm: elicitation('Please confirm', 'ok', 'boolean') }, 'round-1');
    return said(`state-ok: ${opened(params.requestState)}`);
  },
  test_input_required_result_tampered_state(params) {
    if (!params.inputResponses)
      return ask({ confirm: elicitation('Please confirm', 'ok', 'boolean') }, 'round-1');
    return said(`state-ok: ${opened(params.requestState)}`);
  },
  test_input_required_result_multiple_inputs(params) {
    const { user_name, greeting, client_roots } = params.inputResponses ?? {};
    if (!user_name || !greeting || !client_roots)
      return ask({ ...asksName, greeting: sampling('Generate a greeting'), client_roots: roots }, 'round-1');
    opened(params.requestState);
    return said(JSON.stringify(params.inputResponses));
  },
  test_input_required_result_multi_round(params) {
    const state = params.requestState === undefined ? '' : opened(params.requestState);
    if (state === 'round-1')
      return ask({ step2: elicitation('Step 2: What is your favorite color?', 'color') }, 'round-2');
    if (state === 'round-2') return said(`You like ${contentOf(params, 'step2')?.color}`);
    return ask({ step1: elicitation('Step 1: What is your name?', 'name') }, 'round-1');
  },
  test_input_required_result_capabilities(params) {
    const able = capabilitiesOf(params);
    return ask({
      ...(able.elicitation && asksName),
      ...(able.sampling && { greeting: sampling('Generate a greeting') }),
      ...(able.roots && { client_roots: roots }),
    });
  },
};

const prompts: Record<string, { fields?: readonly string[]; get(params: Params): Json }> = {
  test_simple_prompt: {
    get: () => ({ messages: [{ role: 'user', content: text('This is a simple prompt for testing.') }] }),
  },
  test_prompt_with_arguments: {
    fields: ['arg1', 'arg2'],
    get: ({ arguments: { arg1, arg2 } }) => ({
      messages: [{ role: 'user', content: text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`) }],
    }),
  },
  test_prompt_with_embedded_resource: {
    fields: ['resourceUri'],
    get: ({ arguments: { resourceUri } }) => ({
      messages: [
        {
          role: 'user',
          content: resource(resourceUri, 'text/plain', 'Embedded resource content for testing.'),
        },
        { role: 'user', content: text('Please process the embedded resource above.') },
      ],
    }),
  },
  test_prompt_with_image: {
    get: () => ({
      messages: [
        { role: 'user', content: image },
        { role: 'user', content: text('Please analyze the image above.') },
      ],
    }),
  },
  test_input_required_result_prompt: {
    get(params) {
      const context = contentOf(params, 'user_context')?.context;
      if (context === undefined)
        return ask({ user_context: elicitation('What context should the prompt use?', 'context') });
      return { messages: [{ role: 'user', content: text(`Use ${context}`) }] };
    },
  },
};

const resources = [
  {
    uri: 'test://static-text',
    mimeType: 'text/plain',
    text: 'This is the content of the static text resource.',
  },
  { uri: 'test://static-binary', mimeType: 'image/png', blob: PNG },
];
const TEMPLATE = /^test:\/\/template\/([^/]+)\/data$/;

function contentsOf(uri: string): Json {
  const found = resources.find((each) => each.uri === uri);
  if (found) return found;
  const id = TEMPLATE.exec(uri)?.[1];
  if (id === undefined) throw new RpcError(codes.invalidParams, 'Resource not found', 200, { uri });
  const data = { id, templateTest: true, data: `Data for ID: ${id}` };
  return { uri, mimeType: 'application/json', text: JSON.stringify(data) };
}

const cached = { ttlMs: 0, cacheScope: 'private' };

const methods: Record<string, (params: Params) => Json> = {
  'completion/complete': () => ({ completion: { values: ['paris', 'park', 'party'], hasMore: false } }),
  'resources/list': () => ({
    ...cached,
    resources: resources.map(({ uri, mimeType }) => ({ uri, name: uri, description: 'A test', mimeType })),
  }),
  'resources/templates/list': () => ({
    ...cached,
    resourceTemplates: [{ uriTemplate: 'test://template/{id}/data', name: 'template' }],
  }),
  'resources/read': ({ uri }) => ({ ...cached, contents: [contentsOf(uri)] }),
  'prompts/list': () => ({
    ...cached,
    prompts: Object.entries(prompts).map(([name, { fields = [] }]) => ({
      name,
      description: 'A test',
      arguments: fields.map((name) => ({ name, description: 'A test', required: true })),
    })),
  }),
  'prompts/get': (params) => prompts[params.name]?.get(params),
  'tools/call': (params) => answers[params.name]?.(params),
};

/** Sends a tool's progress as a stream, and then its result. */
async function reportProgress(message: Message, reply: FastifyReply): Promise<undefined> {
  const { id, params } = message;
  const progressToken = params._meta?.progressToken;
  reply.hijack();
  reply.raw.writeHead(200, { 'content-type': 'text/event-stream' });
  const send = (frame: object) =>
    reply.raw.write(`data: ${JSON.stringify({ jsonrpc: '2.0', ...frame })}\n\n`);
  for (const progress of progressToken === undefined ? [] : [0, 50, 100]) {
    send({ method: 'notifications/progress', params: { progressToken, progress, total: 100 } });
    await sleep(50);
  }
  send({ id, result: resultFor(message, said('Done')) });
  reply.raw.end();
}

const WITH_PROGRESS = 'test_tool_with_progress';

/** Diagnostic tools, prompts and resources for the conformance suite. */
export const diagnostics: McpExtension = {
  capabilities: { prompts: {}, resources: {}, completions: {} },
  tools: [...Object.keys(answers), WITH_PROGRESS].map((name) => ({
    name,
    description: 'A test',
    inputSchema: { type: 'object' },
  })),
  async answer(message, reply) {
    const { method, params } = message;
    if (method === 'tools/call' && params.name === WITH_PROGRESS) return reportProgress(message, reply);
    return methods[method]?.(params);
  },
};
