import { type Described, type Description, groupsOf, REFERENCE, type Schema } from './description.ts';
import { GUIDES, type Guide, linkFrom, type Shelf, withoutLinks } from './guides.ts';

/** The URLs of the list of all pages. */
const lists = ['/llms.txt', '/docs/index.md'];

/**
 * Renders the guides and the reference as Markdown, for tools that read documentation. Each page is at the
 * URL of its HTML page followed by `.md`, and a list of all pages is at `/llms.txt` (llmstxt.org).
 */
export class PlainPages {
  readonly #document: Description;
  readonly #shelves: readonly Shelf[];

  constructor(document: Description, shelves: readonly Shelf[]) {
    this.#document = document;
    this.#shelves = shelves;
  }

  /** Returns the page at this URL, such as `/docs/guides/bot.md`; undefined if there is none. */
  page(address: string): string | undefined {
    const [, folder, name] = /^(\/docs\/[a-z]+)\/([^/]+)\.md$/.exec(address) ?? [];
    if (folder === GUIDES) return this.#guide(name as string);
    if (folder === REFERENCE) return this.#reference(name as string);
    return lists.includes(address) ? this.#list() : undefined;
  }

  /** Returns the list of all pages. */
  #list(): string {
    const { info } = this.#document;
    const shelves = this.#shelves.map(({ title, guides }) => {
      const lines = guides.map(({ name, title, about }) => {
        const text = withoutLinks(about);
        return `- [${title}](${GUIDES}/${name}.md)${text && `: ${text}`}`;
      });
      return `## ${title}\n\n${lines.join('\n')}\n`;
    });
    const groups = groupsOf(this.#document).map(({ name, title }) => `- [${title}](${REFERENCE}/${name}.md)`);
    const others = [`- [Records](${REFERENCE}/records.md)`, '- [OpenAPI document](/openapi.json)'];
    return [
      `# ${info.title}\n`,
      '> A self-hosted chat platform with a REST API.\n',
      ...shelves,
      `## Reference\n\n${[...groups, ...others].join('\n')}\n`,
    ].join('\n');
  }

  #guide(name: string): string | undefined {
    const guide = this.#shelves.flatMap(({ guides }) => guides).find((one) => one.name === name);
    return guide && withLinks(guide, this.#shelves);
  }

  #reference(name: string): string | undefined {
    if (name === 'records') return recordsOf(this.#document);
    const group = groupsOf(this.#document).find((one) => one.name === name);
    return (
      group &&
      `# ${group.title}\n\n${group.description}\n\n${group.operations.map((each) => operationOf(this.#document, each)).join('\n')}`
    );
  }
}

/** Returns a guide in which links to other guides point to their Markdown versions. */
function withLinks(guide: Guide, shelves: readonly Shelf[]): string {
  const resolve = linkFrom(guide, shelves);
  return guide.markdown.replace(/\]\(([^()\s]+)\)/g, (whole, href: string) => {
    const target = resolve(href);
    if (target === undefined) return whole;
    const [path = '', hash] = target.split('#');
    const plain = path.startsWith(`${GUIDES}/`) ? `${path}.md` : path;
    return `](${plain}${hash ? `#${hash}` : ''})`;
  });
}

const json = (value: unknown): string => `\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\`\n`;

function operationOf(document: Description, { id, method, path, operation }: Described): string {
  const parameters = (operation.parameters ?? []).flatMap((each) => {
    const found = '$ref' in each ? document.components.parameters?.[each.$ref.split('/').at(-1) ?? ''] : each;
    const {
      name,
      in: place,
      description = '',
    } = (found ?? {}) as { name?: string; in?: string; description?: string };
    return name === undefined ? [] : [`- \`${name}\` (${place}): ${description}`];
  });
  const body = operation.requestBody?.content['application/json'];
  const answer = Object.entries(operation.responses ?? {}).find(([status]) => status.startsWith('2'))?.[1];
  const content = answer && 'content' in answer ? Object.values(answer.content ?? {})[0] : undefined;
  return [
    `## ${operation.summary ?? id}\n`,
    `\`${method.toUpperCase()} ${path}\`\n`,
    ...(operation.description ? [`${operation.description}\n`] : []),
    ...(parameters.length > 0 ? [`Parameters:\n\n${parameters.join('\n')}\n`] : []),
    ...(body?.schema ? [`Body:\n\n${json(body.schema)}`] : []),
    ...(content?.schema ? [`Response:\n\n${json(content.schema)}`] : []),
  ].join('\n');
}

function recordsOf(document: Description): string {
  const records = Object.entries(document.components.schemas ?? {}) as [string, Schema][];
  return `# Records\n\n${records.map(([name, schema]) => `## ${name}\n\n${json(schema)}`).join('\n')}`;
}
