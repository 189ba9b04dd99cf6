import type { Static } from 'typebox';
import { canSeeChannel } from '../../access/visibility.ts';
import { find } from '../../db/statements.ts';
import { ApiError, invalid } from '../../errors.ts';
import { isId } from '../../lib/deps.ts';
import { nameProblem, storedName } from '../../lib/names.ts';
import { Type } from '../../lib/schema.ts';
import type { Call } from '../../operations/call.ts';
import { flag, oneOf, optional, text } from '../../operations/fields.ts';
import { channelFacts } from '../message/load.ts';

const MAX_OPTIONS = 10;
const MAX_CHOICES = 25;
const MAX_LABEL = 100;
/** Maximum length of the value of a text option, in characters. */
const MAX_TEXT = 4_000;

/** Matches names after the slash: letters of any script, except uppercase, with digits, `_` and `-`. */
const NAME = /^[\p{Ll}\p{Lo}\p{Lm}\p{M}\p{Nd}_-]+$/u;

const option = Type.Object(
  {
    name: text({ min: 1, max: 32, description: 'In the format of a command name', examples: ['service'] }),
    description: optional(text({ max: MAX_LABEL, examples: ['What to deploy'] })),
    type: oneOf(
      ['text', 'number', 'boolean', 'user', 'channel', 'choice'],
      'The values of `user` and `channel` are ids',
    ),
    required: optional(flag('Whether the option is required', true)),
    choices: optional(
      Type.Array(text({ min: 1, max: MAX_LABEL, examples: ['web'] }), {
        maxItems: MAX_CHOICES,
        description: 'The possible values; only for `choice`, which requires them',
      }),
    ),
  },
  { $id: 'CommandOption', title: 'CommandOption', additionalProperties: true },
);
type Option = Static<typeof option>;

export const options = Type.Array(option, {
  maxItems: MAX_OPTIONS,
  description: 'The options, in the order in which people fill them in',
});

/** Normalizes the name of a command or an option for storage. Throws INVALID_REQUEST. */
export function commandName(given: string, path: string): string {
  const name = storedName(given.normalize('NFKC').toLowerCase());
  const problem = nameProblem(name, 32);
  if (problem) throw invalid(problem.reason, path, problem.message);
  if (!NAME.test(name)) throw invalid('wrong_form', path, 'must contain only letters, digits, _ and -');
  return name;
}

/** Normalizes short plain text for storage. Throws INVALID_REQUEST. */
export function labelOf(given: string, path: string, max = MAX_LABEL): string {
  const label = storedName(given);
  const problem = label === '' ? undefined : nameProblem(label, max);
  if (problem) throw invalid(problem.reason, path, problem.message);
  return label;
}

function storedOption(given: Option, path: string): Option {
  const { name, description = '', type, required = false, choices } = given;
  const stored = {
    name: commandName(name, `${path}.name`),
    description: labelOf(description, `${path}.description`),
    type,
    required,
  };
  if (type !== 'choice') {
    if (choices !== undefined)
      throw invalid('not_together', `${path}.choices`, 'are only for the type choice');
    return stored;
  }
  const labels = (choices ?? []).map((choice, index) => labelOf(choice, `${path}.choices.${index}`));
  if (labels.length === 0) throw invalid('too_few', `${path}.choices`, 'must have at least one choice');
  if (new Set(labels).size < labels.length)
    throw invalid('duplicate', `${path}.choices`, 'contains a choice twice');
  return { ...stored, choices: labels };
}

/** Normalizes the options of a command for storage. Throws INVALID_REQUEST. */
export function storedOptions(given: readonly Option[]): Option[] {
  const all = given.map((one, index) => storedOption(one, `options.${index}`));
  const names = all.map(({ name }) => name);
  const twice = names.findIndex((name, index) => names.indexOf(name) < index);
  if (twice >= 0)
    throw invalid('duplicate', `options.${twice}.name`, 'is already the name of another option');
  const late = all.findIndex(
    ({ required }, index) => required && all.slice(0, index).some((one) => !one.required),
  );
  if (late >= 0)
    throw invalid('wrong_form', `options.${late}`, 'is required, so it must come before the others');
  return all;
}

/** Whether the text is the id of a member of the caller's server. */
const isMember = async ({ db, principal: { serverId } }: Call, userId: string): Promise<boolean> =>
  isId(userId) &&
  (await db.first(find('serverMember', { serverId: serverId as string, userId }))) !== undefined;

/** Whether the text is the id of a channel that the caller can see. */
async function isSeenChannel({ db, principal }: Call, id: string): Promise<boolean> {
  const channel = await channelFacts(db, id).catch((error) => {
    if (error instanceof ApiError) return undefined;
    throw error;
  });
  return channel !== undefined && canSeeChannel(principal, channel.serverId, channel);
}

const typeOf = {
  text: 'string',
  number: 'number',
  boolean: 'boolean',
  user: 'string',
  channel: 'string',
  choice: 'string',
};

async function optionValue(call: Call, { type, choices = [] }: Option, value: unknown, path: string) {
  const kind = typeOf[type];
  if (typeof value !== kind) throw invalid('wrong_type', path, `must be a ${kind}`);
  const given = String(value);
  if (type === 'text' && [...given].length > MAX_TEXT)
    throw invalid('too_long', path, `must have at most ${MAX_TEXT} characters`);
  if (type === 'choice' && !choices.includes(given))
    throw invalid('unknown_value', path, `must be one of ${choices.join(', ')}`);
  if (type === 'user' && !(await isMember(call, given)))
    throw invalid('unknown_value', path, 'must be the id of a member of the server');
  if (type === 'channel' && !(await isSeenChannel(call, given)))
    throw invalid('unknown_value', path, 'must be the id of a channel that you can see');
  return value;
}

/** Validates the options of a command that a person uses. Throws INVALID_REQUEST. */
export async function checkedOptions(
  call: Call,
  declared: readonly object[],
  given: unknown,
): Promise<Record<string, unknown>> {
  const all = declared as readonly Option[];
  const values = given === undefined ? {} : given;
  if (typeof values !== 'object' || values === null || Array.isArray(values))
    throw invalid('wrong_type', 'options', 'must be an object with the values by name');
  const unknown = Object.keys(values).find((name) => !all.some((one) => one.name === name));
  if (unknown !== undefined)
    throw invalid('unknown_value', 'options', 'has an option that the command does not have');
  const found: [string, unknown][] = [];
  for (const one of all) {
    const path = `options.${one.name}`;
    const value = Object.hasOwn(values, one.name) ? (values as Record<string, unknown>)[one.name] : undefined;
    if (value === undefined || value === null) {
      if (one.required) throw invalid('missing', path, 'is required');
      continue;
    }
    found.push([one.name, await optionValue(call, one, value, path)]);
  }
  return Object.fromEntries(found);
}
