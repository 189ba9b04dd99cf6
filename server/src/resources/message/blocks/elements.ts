import type { Static, TProperties, TSchema } from 'typebox';
import { Type } from '../../../lib/schema.ts';
import { flag, id, oneOf, optional, text, time } from '../../../operations/fields.ts';

/** Maximum length of the id of a block, an element or a field, in characters. */
const MAX_ID = 64;
const MAX_OPTIONS = 50;
const MAX_FIELDS = 20;
/** Maximum length of the value of a button or an option, in characters. */
const MAX_VALUE = 2_000;
/** Maximum length of text that is typed into a field, in characters. */
export const MAX_TYPED = 4_000;

/** The format of an id chosen by an agent. It is unique within a message, a block or a form. */
const OWN_ID = '^[A-Za-z0-9][A-Za-z0-9_.:-]*$';
/** A date in the format of `<input type="date">`. */
const DAY = '^\\d{4}-\\d{2}-\\d{2}$';

export const ownId = (description: string, example: string) =>
  Type.String({ minLength: 1, maxLength: MAX_ID, pattern: OWN_ID, description, examples: [example] });

/** Marks short plain text. This is a symbol, so that the mark does not appear in the OpenAPI document. */
export const isLabel = Symbol('label');

/** Creates the schema of short plain text, without Markdown. */
export const label = (max: number, example: string, description?: string) => ({
  ...text({ min: 1, max, examples: [example], ...(description ? { description } : {}) }),
  [isLabel]: true,
});

/**
 * Creates the schema of a variant in a union discriminated by `type`: an object that has a name in the
 * OpenAPI documents.
 */
export function kind<const T extends string, P extends TProperties>(
  type: T,
  title: string,
  properties: P,
  description?: string,
) {
  return Type.Object(
    { type: oneOf([type]), ...properties },
    { $id: title, title, additionalProperties: true, ...(description ? { description } : {}) },
  );
}

/** Returns the value of `type`, and the variant's reference in the OpenAPI documents. */
const mappingOf = (schema: TSchema): [string, string] => {
  const { $id, properties } = schema as { $id?: string; properties?: { type: { enum: string[] } } };
  return [properties?.type.enum[0] as string, `#/components/schemas/${$id}`];
};

/** Creates the schema of a union that is discriminated by `type`. */
export const union = <const S extends readonly TSchema[]>(schemas: S, description?: string) =>
  Type.Unsafe<Static<S[number]>>({
    oneOf: schemas,
    discriminator: { propertyName: 'type', mapping: Object.fromEntries(schemas.map(mappingOf)) },
    ...(description ? { description } : {}),
  });

const option = Type.Object(
  {
    text: label(80, 'Production'),
    value: text({ max: MAX_VALUE, examples: ['production'] }),
  },
  { $id: 'SelectOption', title: 'SelectOption', additionalProperties: true },
);

const options = Type.Array(option, {
  minItems: 1,
  maxItems: MAX_OPTIONS,
  description: 'Each option has a different `value`',
});

const day = (description: string) =>
  Type.String({ pattern: DAY, maxLength: 10, description, examples: ['2027-01-31'] });

const style = optional(oneOf(['default', 'primary', 'danger'], 'The visual style'));
const placeholder = optional(label(80, 'Choose…', 'Shown while nothing is chosen or typed'));

const field = {
  id: ownId('Unique in its form; the key in the value of the interaction', 'reason'),
  label: label(80, 'Reason'),
  required: optional(flag('Whether the field must be filled in', true)),
};

const textField = kind('text', 'TextField', {
  ...field,
  placeholder,
  initial: optional(text({ max: MAX_TYPED, examples: [''] })),
  maxLength: optional(
    Type.Integer({
      minimum: 1,
      maximum: MAX_TYPED,
      description: 'Maximum length in characters',
      examples: [200],
    }),
  ),
});
const multilineField = kind('multiline', 'MultilineField', {
  ...field,
  placeholder,
  initial: optional(text({ max: MAX_TYPED, examples: [''] })),
  maxLength: optional(
    Type.Integer({
      minimum: 1,
      maximum: MAX_TYPED,
      description: 'Maximum length in characters',
      examples: [2_000],
    }),
  ),
});
const selectField = kind('select', 'SelectField', {
  ...field,
  placeholder,
  options,
  initial: optional(
    text({ max: MAX_VALUE, description: 'The value of the initial option', examples: ['production'] }),
  ),
});
const dateField = kind('date', 'DateField', { ...field, initial: optional(day('The initial day')) });
const checkboxField = kind('checkbox', 'CheckboxField', {
  ...field,
  required: optional(flag('Whether the box must be checked')),
  initial: optional(flag('Whether the box is checked initially')),
});

const formField = union([textField, multilineField, selectField, dateField, checkboxField]);

const elementId = ownId('Unique in its block; the `actionId` of interactions', 'approve');

export const button = kind('button', 'ButtonElement', {
  id: elementId,
  text: label(80, 'Approve'),
  value: optional(text({ max: MAX_VALUE, description: 'The value of the interaction', examples: ['1'] })),
  style,
  repeatable: optional(
    flag(
      'Whether a person can use the button again once the interaction is done. Otherwise, each person can use it once',
    ),
  ),
});
const select = kind('select', 'SelectElement', {
  id: elementId,
  placeholder,
  options,
  initial: optional(
    text({ max: MAX_VALUE, description: 'The value of the initial option', examples: ['production'] }),
  ),
});
const date = kind('date', 'DateElement', {
  id: elementId,
  placeholder,
  initial: optional(day('The initial day')),
});
export const form = kind(
  'form',
  'FormElement',
  {
    id: elementId,
    text: label(80, 'Report…', 'The button that opens the form'),
    style,
    title: optional(label(80, 'Report a problem', 'The title of the dialog')),
    submit: optional(label(80, 'Send', 'The button that sends the form')),
    fields: Type.Array(formField, { minItems: 1, maxItems: MAX_FIELDS }),
  },
  'A button that opens a dialog with fields. The value of the interaction is an object with the values by field id.',
);

export const element = union([button, select, date, form]);

export type Element = Static<typeof element>;
export type FormField = Static<typeof formField>;

/** A person's decision in an approval. */
export const decision = Type.Object(
  {
    id: id('The interaction'),
    userId: id('The person who decided'),
    actionId: elementId,
    value: optional(text({ max: MAX_VALUE, description: 'The value of the button', examples: ['1'] })),
    roleIds: optional(
      Type.Array(id(), { description: 'The roles for which this decision counts, with the rule `all`' }),
    ),
    at: time(),
  },
  { $id: 'Decision', title: 'Decision', additionalProperties: false },
);
export type Decision = Static<typeof decision>;
