import { basename, dirname, posix } from 'node:path';

/** A text of the repository that is served as a page. */
export interface Guide {
  /** Its path in the repository. */
  file: string;
  /** The last part of its address. */
  name: string;
  /** Its words in the navigation. */
  title: string;
  /** One line about it; empty if `docs/README.md` has none. */
  about: string;
  markdown: string;
}

/** The guides of one part of the navigation. */
export interface Shelf {
  title: string;
  guides: Guide[];
}

export const GUIDES = '/docs/guides';

const CONTENTS = 'docs/README.md';

/** The chapters of `docs/README.md` that are served, by their heading, and the folders whose unlisted files go there. */
const chapters = [
  { heading: 'To begin', title: 'To begin', folder: 'docs/guides/' },
  { heading: 'For users of the API', title: 'Guides', folder: 'docs/api/' },
  { heading: 'For operators', title: 'Operating', folder: 'docs/operate/' },
];

/**
 * Puts texts, by their paths, in the order of `docs/README.md`, which is their table of contents, and after them those of the
 * folders that it does not name. A chapter without guides is left out.
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

/** The entries of a list of links: `- [Title](path.md): about it`. */
const entriesOf = (chapter: string): Entry[] =>
  [...chapter.matchAll(/^- \[([^\]]+)\]\(([^)#]+\.md)\)([^\n]*(?:\n {2}[^\n]+)*)/gm)].map(
    ([, title = '', path = '', rest = '']) => ({
      file: posix.join('docs', path),
      // A folder is named by the heading of its text.
      title: title.endsWith('/') ? '' : title,
      about: rest.replace(/^:? */, '').replace(/\s+/g, ' '),
    }),
  );

/** A file that this installation lacks is no guide. */
function guideOf({ file, title, about }: Entry, markdown: string | undefined): Guide | undefined {
  if (markdown === undefined) return undefined;
  const [, heading = basename(file, '.md')] = /^# (.+)$/m.exec(markdown) ?? [];
  const name = basename(file) === 'README.md' ? basename(dirname(file)) : basename(file, '.md');
  return { file, name, title: title || heading, about, markdown };
}

/** The address to which a link in a guide leads; undefined for a file that is not served. */
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
