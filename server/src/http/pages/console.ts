import {
  type Answer,
  type Content,
  type Described,
  type Description,
  examplesOf,
  type Parameter,
  resolve,
  type Schema,
} from './description.ts';
import { type Html, html } from './html.ts';

/**
 * Returns the noun that an id parameter refers to: `channelId` refers to a channel, and `id` below `/pins` to
 * a pin. The page suggests ids from this server (`assets/ids.js`).
 */
function nounOf(name: string, path = ''): string | undefined {
  if (name === 'id') {
    const [, collection = ''] = /\/([\w-]+)\/\{id\}/.exec(path) ?? [];
    return collection.replace(/-(\w)/g, (_, letter) => letter.toUpperCase()).replace(/s$/, '') || undefined;
  }
  const [, noun] = /^(\w+)Id$/.exec(name) ?? [];
  return noun && (sameAs[noun] ?? noun);
}

/** The nouns of fields that are named after a record's role rather than its noun. */
const sameAs: Record<string, string> = { creator: 'user', actor: 'user', replyTo: 'message', owner: 'user' };

/**
 * Renders the form that calls an operation. It needs the page's script, because the Content-Security-Policy
 * forbids native form submission.
 */
export function consoleOf(document: Description, described: Described, parameters: Parameter[]): Html {
  const { method, path, operation, id } = described;
  const [type, content] = Object.entries(operation.requestBody?.content ?? {})[0] ?? [];
  const accepts = acceptsOf(document, described);
  return html`<details class="try"><summary>Try it</summary>
<form data-method="${method.toUpperCase()}" data-path="${path}"${operation.security?.length === 0 && html` data-open`} aria-label="${operation.summary ?? id}" autocomplete="off">
${parameters.map((parameter) => input(parameter, described))}
${accepts.length > 1 && html`<label><span>Accept</span><select name="accept">${accepts.map((each) => html`<option>${each}</option>`)}</select></label>`}
${type && content && body(type, content)}
<p class="buttons"><button type="submit">Send</button> <button type="button" class="plain" data-does="curl">Copy as curl</button> <button type="button" class="plain" data-does="stop" hidden>Stop</button></p>
<div class="result" aria-live="polite"></div>
</form></details>`;
}

/** Returns the media types of a success response that a client can choose from. */
function acceptsOf(document: Description, { operation }: Described): string[] {
  const answers = Object.entries(operation.responses ?? {});
  const success = answers.find(([status]) => status.startsWith('2'))?.[1];
  return success ? Object.keys(resolve<Answer>(document, success).content ?? {}) : [];
}

/**
 * Renders an input. The inputs of a DELETE are never filled in automatically, because the user has to choose
 * what to delete.
 */
function input({ in: place, name, required, schema = {} }: Parameter, { id, path, method }: Described): Html {
  const noun = nounOf(name, path);
  const field = `${id}.${place}.${name}`;
  const values = schema.enum ?? (schema.type === 'boolean' ? [true, false] : undefined);
  const words = html`<span>${name}${required && html` <em>required</em>`}</span>`;
  if (values)
    return html`<label>${words}<select data-place="${place}" name="${name}"><option value=""></option>${values.map(
      (value) => html`<option>${String(value)}</option>`,
    )}</select></label>`;
  return html`<label>${words}<input data-place="${place}" name="${name}"${required && html` required`}${
    noun && place !== 'header' && html` data-ids="${noun}" list="${field}"`
  }${place === 'path' && method !== 'delete' && html` data-fill`}${
    schema.default !== undefined && html` placeholder="${String(schema.default)}"`
  } spellcheck="false">${noun && place !== 'header' && html`<datalist id="${field}"></datalist>`}</label>`;
}

function body(type: string, content: Content): Html {
  const examples = examplesOf(content);
  const first = examples[0]?.value;
  const ids = Object.keys((content.schema as Schema | undefined)?.properties ?? {}).filter((name) =>
    nounOf(name),
  );
  return html`${
    examples.length > 1 &&
    html`<label><span>Example</span><select name="example">${examples.map(
      ({ name, value }) => html`<option value="${text(value)}">${name}</option>`,
    )}</select></label>`
  }
<label class="wide"><span>Body</span><textarea name="body" data-type="${type}" rows="${Math.min(text(first).split('\n').length + 1, 16)}" spellcheck="false">${text(first)}</textarea></label>
${ids.map((name) => html`<label hidden><span>${name}</span><select data-ids="${nounOf(name) ?? ''}" data-field="${name}"></select></label>`)}`;
}

const text = (value: unknown): string =>
  value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value, null, 2);
