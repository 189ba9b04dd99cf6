import type { TSchema } from 'typebox';
import { nounOf, sampleId } from '../../operations/examples.ts';
import { documented } from './schemas.ts';

/** Creates a query parameter from an entry in a query's properties. `required` lists the mandatory ones. */
export const queryParameter =
  (required: readonly string[] = []) =>
  ([name, schema]: [string, TSchema]): object => {
    const isRequired = required.includes(name);
    const { description = queryWords(name), deprecated, examples, ...rest } = documented(schema) as Shown;
    // Optional parameters have no examples, because API consoles would fill them in and filter lists down to
    // almost nothing.
    const isShown = !isRequired && rest.type === 'string' && !rest.enum && examples;
    return {
      in: 'query',
      name,
      required: isRequired,
      ...(deprecated && { deprecated }),
      description: isShown ? `${description}. Example: \`${examples[0]}\`` : description,
      schema: { ...rest, ...(isRequired && { examples }) },
    };
  };

interface Shown {
  description?: string;
  examples?: readonly unknown[];
  type?: string;
  enum?: unknown;
  deprecated?: true;
}

const queryWords = (name: string) => `Only records of this ${nounOf(name) ?? name}`;

/**
 * Returns the noun of the record that a parameter identifies: from the parameter's name, or from the
 * preceding segment, such as `word-rules`.
 */
function recordOf(name: string, path: string): string {
  const noun = nounOf(name);
  if (noun) return noun.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  const [, segment = ''] = new RegExp(`([\\w-]+)/:${name}\\b`).exec(path) ?? [];
  if (segment === 'saved') return 'saved message';
  return segment.replaceAll('-', ' ').replace(/ies$/, 'y').replace(/s$/, '');
}

/** Returns a parameter of `path`. `id` is the id of a record of the noun `tag`. */
export const pathParameter = (name: string, tag: string, path: string) => {
  const part = /^id$|Id$/.test(name) ? 'Id' : name.replace(/^\w/, (letter) => letter.toUpperCase());
  return {
    in: 'path',
    name,
    required: true,
    description: `${part} of the ${recordOf(name, path)}`,
    schema: { type: 'string' },
    example: sampleId(nounOf(name) ?? tag),
  };
};
