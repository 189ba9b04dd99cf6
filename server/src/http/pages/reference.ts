import { type Description, type Group, groupsOf, REFERENCE, type Schema, sentEvents } from './description.ts';
import { Html, html } from './html.ts';
import type { Entry, Page } from './layout.ts';
import { renderWords } from './markdown.ts';
import { renderOperation, renderSent } from './operation.ts';
import { fields, recordAddress, typeOf } from './schemas.ts';

/** A page that is rendered on first use. */
export interface Draft {
  title: string;
  address: string;
  make(): Page;
}

/**
 * Returns the pages of the reference in document order: one for each group of operations, one for the events
 * sent to webhooks, and one for the records.
 */
export function referencePages(document: Description): Draft[] {
  const sent = sentEvents(document);
  return [
    ...groupsOf(document).map((group) => {
      const address = `${REFERENCE}/${group.name}`;
      return { title: group.title, address, make: () => groupPage(document, group, address) };
    }),
    ...(sent.length > 0
      ? [{ title: 'Sent to webhooks', address: `${REFERENCE}/sent`, make: () => sentPage(document) }]
      : []),
    { title: 'Records', address: `${REFERENCE}/records`, make: () => recordsPage(document) },
  ];
}

function groupPage(document: Description, group: Group, address: string): Page {
  const main = html`<h1>${group.title}</h1><p class="lead">${group.description}</p>${operationsTable(group, '')}
${group.operations.map((each) => renderOperation(document, each))}`;
  return { title: group.title, address, main, console: true };
}

/** Renders a list of the operations in a group, each with its method and path. */
export const operationsTable = ({ operations }: Group, page: string): Html =>
  html`<ul class="operations">${operations.map(
    ({ id, method, path, operation }) =>
      html`<li><a href="${page}#${id}">${operation.summary ?? id}</a> <span class="route"><span class="method ${method}">${method.toUpperCase()}</span> <code>${path}</code></span></li>`,
  )}</ul>`;

function sentPage(document: Description): Page {
  const sent = sentEvents(document);
  const headings = sent.map(({ id, operation }) => ({
    title: (operation.summary ?? id).replaceAll('`', ''),
    address: `#${id}`,
  }));
  const main = html`<h1>Sent to webhooks</h1>
<p class="lead">The requests that your receiver gets. <a href="/docs/guides/webhooks">The guide</a> shows how to verify their signatures.</p>
${sent.map((each) => renderSent(document, each))}`;
  return { title: 'Sent to webhooks', address: `${REFERENCE}/sent`, main, headings };
}

function recordsPage(document: Description): Page {
  const records = Object.entries(document.components.schemas ?? {}) as [string, Schema][];
  const headings: Entry[] = records.map(([name]) => ({ title: name, address: recordAddress(name) }));
  const main = html`<h1>Records</h1><p class="lead">The fields of all records that the API returns.</p>
${records.map(([name, schema]) => {
  const list = fields(schema);
  return html`<section class="record" id="${name}"><h2><a class="anchor" href="#${name}">${name}</a></h2>
${new Html(renderWords(schema.description ?? ''))}${list.text ? list : html`<p>${typeOf(schema)}</p>`}</section>`;
})}`;
  return { title: 'Records', address: `${REFERENCE}/records`, main, headings };
}
