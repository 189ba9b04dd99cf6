import { basename, dirname, posix } from 'node:path';

/** A text from the repository that is served as a page. */
export interface Guide {
  /** The path of the guide in the repository. */
  file: string;
  /** The last segment of the guide's URL. */
  name: string;
  /** The label of the guide in the navigation. */
  title: string;
  /** The description, in one line; empty if `docs/README.md` has none. */
  about: string;
  markdown: string;
}

/** The guides in one section of the navigation. */
export interface Shelf {
  title: string;
  guides: Guide[];
}

export const GUIDES = '/docs/guides';

const CONTENTS = 'docs/README.md';

/**
 * The chapters of `docs/README.md` that are served, by heading, each with the folder whose unlisted files are
 * added to it.
 */
const chapters = [
  { heading: 'Getting started', title: 'Getting started', folder: 'docs/guides/' },
  { heading: 'For users of the API', title: 'Guides', folder: 'docs/api/' },
  { heading: 'For operators', title: 'Operating', folder: 'docs/operate/' },
];

/**
 * Sorts texts, keyed by path, in the order of the table of contents in `docs/README.md`. Unlisted texts
 * from the same folders follow. Chapters without guides are omitted.
 */
export function shelvesOf(texts: ReadonlyMap<string, string>): Shelf[] {
  const contents = texts.get(CONTENTS) ?? '';
  const shelves = chapters.map(({ heading, title, folder }) => {
    const [, chapter = ''] = contents.split(new RegExp(`^## ${heading}$`, 'm'));
    const listed = entriesOf(chapter.split(/^## /m)[0] as string);
    const others = [...texts.keys()]
      .filter((file) => file.startsWith(folder) && !contents.includes(`](${file.slice('docs/'.length)}`))
      .map((file) => ({ file, title: '', about: '' }));
    const guides = [...listed, ...others].map((entry) => guideOf(entry, texts.get(entry.file)));
    return { title, guides: guides.filter((guide) => guide !== undefined) };
  });
  return shelves.filter(({ guides }) => guides.length > 0);
}

interface Entry {
  file: string;
  title: string;
  about: string;
}

/** Parses the entries in a list of links: `- [Title](path.md): description`. */
const entriesOf = (chapter: string): Entry[] =>
  [...chapter.matchAll(/^- \[([^\]]+)\]\(([^)#]+\.md)\)([^\n]*(?:\n {2}[^\n]+)*)/gm)].map(
    ([, title = '', path = '', rest = '']) => ({
      file: posix.join('docs', path),
      // For a folder, such as `deploy/`, `guideOf` uses the heading of its README as the title.
      title: title.endsWith('/') ? '' : title,
      about: rest.replace(/^:? */, '').replace(/\s+/g, ' '),
    }),
  );

/** Creates the guide for an entry. Undefined if the file is missing from this installation. */
function guideOf({ file, title, about }: Entry, markdown: string | undefined): Guide | undefined {
  if (markdown === undefined) return undefined;
  const [, heading = basename(file, '.md')] = /^# (.+)$/m.exec(markdown) ?? [];
  const name = basename(file) === 'README.md' ? basename(dirname(file)) : basename(file, '.md');
  return { file, name, title: title || heading, about, markdown };
}

/** Replaces Markdown links with their labels. */
export const withoutLinks = (markdown: string): string => markdown.replace(/\[([^\]]+)\]\([^)]+\)/g, '$1');

/** Resolves a link in a guide to the URL to link to; undefined for a file that is not served. */
export function linkFrom(guide: Guide, shelves: readonly Shelf[]): (href: string) => string | undefined {
  return (href) => {
    if (/^(https?:|mailto:|\/|#)/.test(href)) return href;
    const [path = '', hash] = href.split('#');
    const file = posix.join(posix.dirname(guide.file), path);
    if (file === CONTENTS) return '/docs/';
    if (file === 'docs/openapi.json') return '/openapi.json';
    const other = shelves.flatMap(({ guides }) => guides).find((each) => each.file === file);
    return other && `${GUIDES}/${other.name}${hash ? `#${hash}` : ''}`;
  };
}
