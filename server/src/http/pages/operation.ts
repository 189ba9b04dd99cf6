import { consoleOf } from './console.ts';
import {
  type Answer,
  type Described,
  type Description,
  examplesOf,
  type Parameter,
  recordOf,
  resolve,
} from './description.ts';
import { Html, html } from './html.ts';
import { renderLine, renderWords } from './markdown.ts';
import { field, fields, recordAddress, typeOf } from './schemas.ts';

/** The origin in examples. The page replaces it with the server's own. */
export const EXAMPLE_ORIGIN = 'http://localhost:8080';

const places = [
  ['path', 'Path'],
  ['query', 'Query'],
  ['header', 'Headers'],
] as const;

/** Renders a frame for code. The page adds a copy button to it. */
export const codeFrame = (code: string, label = ''): Html =>
  html`<figure class="code"${label && html` data-language="${label}"`}><pre tabindex="0"><code>${code}</code></pre></figure>`;

const pretty = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value, null, 2);

/** Renders an API operation: its description, parameters, bodies, an example, and a form that calls it. */
export function renderOperation(document: Description, described: Described): Html {
  const { operation, method, path } = described;
  const parameters = (operation.parameters ?? []).map((each) => resolve<Parameter>(document, each));
  return html`${head(described)}
<p class="route"><span class="method ${method}">${method.toUpperCase()}</span> <code>${breakable(path)}</code></p>
${consoleOf(document, described, parameters)}
<div class="columns"><div class="words">
${new Html(renderWords(operation.description ?? ''))}
${places.map(([place, title]) =>
  parametersOf(
    title,
    parameters.filter((each) => each.in === place),
  ),
)}
${bodyOf(document, described)}
${answersOf(document, described)}
</div><div class="samples">
<h3>Request</h3>
${codeFrame(curlOf(described, parameters), 'sh')}
${exampleAnswer(document, described)}
</div></div>
</article>`;
}

/** Renders an event that is sent to webhooks: its description and its body. */
export const renderSent = (document: Description, described: Described): Html =>
  html`${head(described)}
<p class="route"><span class="method post">POST</span> to the URL of the webhook</p>
<div class="columns"><div class="words">${new Html(renderWords(described.operation.description ?? ''))}
${bodyOf(document, described)}</div>
<div class="samples">${examplesOf(Object.values(described.operation.requestBody?.content ?? {})[0]).map(({ value }) => codeFrame(pretty(value), 'json'))}</div></div>
</article>`;

const head = ({ id, operation }: Described): Html =>
  html`<article class="operation" id="${id}">
<h2><a class="anchor" href="#${id}">${new Html(renderLine(operation.summary ?? id))}</a>${operation.deprecated && html` <span class="deprecated">deprecated</span>`}</h2>`;

/** Returns a path with line break opportunities after its slashes. */
const breakable = (path: string): Html => new Html(html`${path}`.text.replace(/\/(?=.)/g, '/<wbr>'));

function parametersOf(title: string, parameters: Parameter[]): Html {
  if (parameters.length === 0) return html``;
  return html`<h3>${title}</h3><dl class="fields">${parameters.map((each) =>
    field(each.name, each.schema ?? {}, each.required ?? false, each.description),
  )}</dl>`;
}

function bodyOf(document: Description, { operation }: Described): Html {
  const bodies = Object.entries(operation.requestBody?.content ?? {});
  return html`${bodies.map(([type, { schema = {} }]) => {
    const record = recordOf(schema);
    const list = fields(record ? resolve(document, schema) : schema);
    return html`<h3>Body${type !== 'application/json' && html` <span class="type">${type}</span>`}</h3>
${record || list.text === '' ? html`<p>${typeOf(schema)}</p>` : ''}${record ? '' : list}`;
  })}`;
}

function answersOf(document: Description, { operation }: Described): Html {
  const answers = Object.entries(operation.responses ?? {});
  if (answers.length === 0) return html``;
  return html`<h3>Responses</h3><dl class="answers">${answers.map(([status, each]) => {
    const answer = resolve<Answer>(document, each);
    return html`<dt><span class="status s${status[0]}">${status}</span></dt><dd>${answerWords(answer, status)}</dd>`;
  })}</dl>`;
}

/**
 * Describes a response. A success links to its record; an error's codes link to the guide that explains
 * them.
 */
function answerWords({ description = '', content = {} }: Answer, status: string): Html {
  if (!status.startsWith('2')) {
    const [codes = '', ...rest] = description.split(/(?<=[A-Z_])\. /);
    return rest.length > 0
      ? html`<a href="/docs/guides/errors">${codes}</a>. ${rest.join('. ')}`
      : new Html(renderWords(description));
  }
  const data = content['application/json']?.schema?.properties?.data;
  const record = data && (recordOf(data) ?? (data.items && recordOf(data.items)));
  const words = record ? description.replace(new RegExp(`:? ${record}$`), '') : description;
  return html`${words}${record && html`: <a href="${recordAddress(record)}">${record}</a>`}`;
}

function exampleAnswer(document: Description, { operation }: Described): Html {
  const success = Object.entries(operation.responses ?? {}).find(([status]) => status.startsWith('2'));
  const contents = Object.entries(success ? (resolve<Answer>(document, success[1]).content ?? {}) : {});
  return html`${contents.map(([type, content]) =>
    examplesOf(content).map(
      ({ value }) =>
        html`<h3>Example response${type !== 'application/json' && html` <span class="type">${type}</span>`}</h3>${codeFrame(pretty(value), 'json')}`,
    ),
  )}`;
}

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** Returns a curl command with the first example. The key is an environment variable. */
function curlOf({ method, path, operation }: Described, parameters: Parameter[]): string {
  const filled = path.replace(/\{(\w+)\}/g, (whole, name) =>
    String(parameters.find((each) => each.in === 'path' && each.name === name)?.example ?? whole),
  );
  const required = parameters.filter(
    (each) => each.in === 'query' && each.required && each.example !== undefined,
  );
  const query = required
    .map(({ name, example }) => `${name}=${encodeURIComponent(String(example))}`)
    .join('&');
  const address = `${EXAMPLE_ORIGIN}${filled}${query && `?${query}`}`;
  const [type, content] = Object.entries(operation.requestBody?.content ?? {})[0] ?? [];
  const example = examplesOf(content)[0]?.value;
  const isOpen = operation.security?.length === 0;
  return [
    `curl${method === 'get' ? '' : ` -X ${method.toUpperCase()}`} ${/[?&{]/.test(address) ? quoted(address) : address}`,
    ...(isOpen ? [] : [`  -H "Authorization: Bearer $KEY"`]),
    ...(type && example !== undefined
      ? [
          `  -H 'Content-Type: ${type}'`,
          `  -d ${quoted(typeof example === 'string' ? example : JSON.stringify(example))}`,
        ]
      : []),
  ].join(' \\\n');
}
