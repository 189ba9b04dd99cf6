import type { TSchema } from 'typebox';
import { nounOf, sampleId } from '../../operations/examples.ts';
import { documented } from './schemas.ts';

/** Creates a query parameter from an entry of a query's properties. `required` lists the mandatory ones. */
export const queryParameter =
  (required: readonly string[] = []) =>
  ([name, schema]: [string, TSchema]): object => {
    const isRequired = required.includes(name);
    const { description = queryWords(name), deprecated, examples, ...rest } = documented(schema) as Shown;
    // Consoles fill in examples, which would filter lists down to almost nothing.
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

/** A path parameter. `id` stands for the id of a record of the noun `tag`. */
export const pathParameter = (name: string, tag: string) => {
  const noun = nounOf(name) ?? tag;
  const words = noun.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return {
    in: 'path',
    name,
    required: true,
    description: `Id of the ${words}`,
    schema: { type: 'string' },
    example: sampleId(noun),
  };
};
