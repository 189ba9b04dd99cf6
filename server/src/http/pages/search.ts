import type { Group } from './description.ts';
import type { Section } from './markdown.ts';

/** An entry in the search index. Field names are short, because one file has hundreds of entries. */
export interface Found {
  /** The heading of the entry. */
  t: string;
  /** The title of the page that contains the entry. */
  p: string;
  /** The URL of the entry. */
  u: string;
  /** The text below the heading, at most `MAX_TEXT` characters. */
  x: string;
}

const MAX_TEXT = 1_500;

const squeezed = (text: string): string => text.replace(/\s+/g, ' ').trim().slice(0, MAX_TEXT);

/** Returns the entries of a guide: its sections. */
export const guidePlaces = (title: string, address: string, sections: readonly Section[]): Found[] =>
  sections.map(({ id, level, title: heading, text }) => ({
    t: heading,
    p: title,
    u: level === 1 ? address : `${address}#${id}`,
    x: squeezed(text),
  }));

/** Returns the entries of a group: its operations, searchable by description, name, path and fields. */
export const groupPlaces = ({ title, operations }: Group, address: string): Found[] =>
  operations.map(({ id, method, path, operation }) => {
    const fields = Object.values(operation.requestBody?.content ?? {}).flatMap(({ schema }) =>
      Object.keys(schema?.properties ?? {}),
    );
    const words = [method.toUpperCase(), path, id, operation.description ?? '', ...fields].join(' ');
    return {
      t: operation.summary ?? id,
      p: title,
      u: `${address}#${id}`,
      x: squeezed(words.replace(/[*`]/g, '')),
    };
  });
