import type { Description } from './description.ts';
import { groupsOf, REFERENCE, titleOf } from './description.ts';
import { GUIDES, type Guide, linkFrom, type Shelf, shelvesOf, withoutLinks } from './guides.ts';
import { Html, html } from './html.ts';
import { layout, type Page, type Part } from './layout.ts';
import { type Rendered, render, renderWords } from './markdown.ts';
import { readTexts } from './pageFiles.ts';
import { PlainPages } from './plainPages.ts';
import { type Draft, operationsTable, referencePages } from './reference.ts';
import { type Found, groupPlaces, guidePlaces } from './search.ts';
import { startPage } from './start.ts';

/** Renders the server's pages. Callers cache them. */
export class Site {
  readonly #document: Description;
  readonly #shelves: Shelf[];
  readonly #assets: string;
  readonly #drafts: Map<string, Draft>;
  readonly #parts: Part[];
  readonly #plain: PlainPages;

  /** Reads the guides and creates the site. `assets` is the folder with styles and scripts. */
  static async open(document: Description, version: string, assets: string): Promise<Site> {
    return new Site(document, version, assets, shelvesOf(await readTexts()));
  }

  private constructor(document: Description, version: string, assets: string, shelves: Shelf[]) {
    this.#document = document;
    this.#shelves = shelves;
    this.#assets = assets;
    this.#plain = new PlainPages(document, shelves);
    const reference = referencePages(document);
    const guides = shelves.flatMap((shelf) => shelf.guides);
    const start = () => startPage(version, (name) => guides.some((guide) => guide.name === name));
    const drafts = [
      { title: 'Palaver', address: '/docs/start', make: start },
      { title: 'Documentation', address: '/docs/', make: () => this.#overview() },
      ...guides.map((guide) => this.#guideDraft(guide)),
      ...reference,
    ];
    this.#drafts = new Map(drafts.map((draft) => [draft.address, draft]));
    const parts = shelves.map(({ title, guides }) => ({ title, entries: guides.map(entryOf) }));
    this.#parts = [
      {
        title: 'Documentation',
        entries: [
          { title: 'Overview', address: '/docs/' },
          { title: 'Back to the chat', address: '/' },
        ],
      },
      ...parts.slice(0, -1),
      ...referenceParts(document, reference),
      ...parts.slice(-1),
    ];
  }

  /** Returns the page at this path as HTML; undefined if there is none. */
  page(address: string): string | undefined {
    const draft = this.#drafts.get(address);
    return draft && this.#dressed(draft.make());
  }

  /**
   * Returns the page at this path as Markdown; undefined if there is none. The path ends with `.md`, or is
   * `/llms.txt`.
   */
  plain(address: string): string | undefined {
    return this.#plain.page(address);
  }

  /** Renders the "Page not found" page. */
  missing(): string {
    const main = html`<h1>Page not found</h1><p class="lead">The search above finds guides and endpoints; <a href="/docs/">the overview</a> lists them.</p>`;
    return this.#dressed({ title: 'Page not found', address: '', main });
  }

  /** Builds the search index. Yields to other tasks between pages. */
  async places(): Promise<Found[]> {
    const places: Found[] = [];
    for (const guide of this.#shelves.flatMap(({ guides }) => guides)) {
      places.push(...guidePlaces(guide.title, addressOf(guide), this.#rendered(guide).sections));
      await new Promise(setImmediate);
    }
    for (const group of groupsOf(this.#document))
      places.push(...groupPlaces(group, `${REFERENCE}/${group.name}`));
    for (const name of Object.keys(this.#document.components.schemas ?? {}))
      places.push({ t: name, p: 'Records', u: `${REFERENCE}/records#${name}`, x: '' });
    return places;
  }

  #dressed(page: Page): string {
    return layout(page, this.#parts, this.#assets).text;
  }

  #rendered(guide: Guide): Rendered {
    return render(guide.markdown, linkFrom(guide, this.#shelves));
  }

  #guideDraft(guide: Guide): Draft {
    const { title } = guide;
    const address = addressOf(guide);
    const make = () => {
      const { html: text, sections } = this.#rendered(guide);
      const headings = sections
        .filter(({ level }) => level === 2)
        .map((section) => ({ title: section.title, address: `#${section.id}` }));
      return { title, address, main: html`<article class="guide">${new Html(text)}</article>`, headings };
    };
    return { title, address, make };
  }

  #overview(): Page {
    const { info } = this.#document;
    const groups = groupsOf(this.#document);
    const shelves = this.#shelves.map(
      ({ title, guides }) =>
        html`<h2>${title}</h2><ul class="ways">${guides.map(
          (guide) =>
            html`<li><a href="${addressOf(guide)}">${guide.title}</a><span>${wordsOf(guide.about)}</span></li>`,
        )}</ul>`,
    );
    const main = html`<h1>Documentation</h1>
${shelves}
<h2 id="overview">API overview</h2>
<div class="guide">${new Html(renderWords(info.description ?? ''))}</div>
<h2 id="reference">Reference</h2>
${groups.map((group) => {
  const address = `${REFERENCE}/${group.name}`;
  return html`<h3><a href="${address}">${group.title}</a></h3>${operationsTable(group, address)}`;
})}`;
    return { title: 'Documentation', address: '/docs/', main };
  }
}

const addressOf = ({ name }: Guide): string => `${GUIDES}/${name}`;

const entryOf = (guide: Guide) => ({ title: guide.title, address: addressOf(guide) });

/**
 * Returns the reference part of the navigation: the sections that the document defines, or a single one.
 * Records and the document itself come last.
 */
function referenceParts(document: Description, reference: readonly Draft[]): Part[] {
  const titles = new Map((document.tags ?? []).map((tag) => [tag.name, titleOf(tag)]));
  const named = (document['x-tagGroups'] ?? []).map(({ name, tags }) => ({
    title: name,
    entries: reference.filter(({ title }) => tags.some((tag) => titles.get(tag) === title)),
  }));
  const others = reference.filter((page) => !named.some(({ entries }) => entries.includes(page)));
  return [
    ...named.filter(({ entries }) => entries.length > 0),
    { title: 'Reference', entries: [...others, { title: 'OpenAPI document', address: '/openapi.json' }] },
  ];
}

/** Returns a one-line description of a guide, capitalized and without Markdown. */
function wordsOf(about: string): string {
  const plain = withoutLinks(about).replaceAll('`', '');
  return plain.charAt(0).toUpperCase() + plain.slice(1);
}
