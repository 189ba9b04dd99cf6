import type { Session } from '../../../replica/index.ts';
import { commands as t } from '../../../strings/en/writing.ts';
import { fold } from '../../../ui/fold.ts';
import type { Candidate } from '../candidates.ts';
import { askFor, isKnown, peopleFor } from '../people.ts';
import { type CommandRow, namedIn, type OptionRow, parse } from './parse.ts';

const MOST = 8;

interface Where {
  serverId: string;
  placeId: string;
}

/** The commands whose names start with the text or contain it. */
export function commandsFor(all: readonly CommandRow[], typed: string): Candidate[] {
  const wanted = fold(typed);
  const rank = ({ name }: CommandRow) => (fold(name).startsWith(wanted) ? 0 : 1);
  return all
    .filter(({ name }) => fold(name).includes(wanted))
    .toSorted((one, other) => rank(one) - rank(other))
    .slice(0, MOST)
    .map(({ id, name, description }) => ({
      kind: 'command',
      key: id,
      insert: `/${name}`,
      name: `/${name}`,
      about: description,
    }));
}

const quoted = (text: string): string => (/[\s"]/.test(text) ? `"${text.replaceAll('"', '')}"` : text);

/** The values of an option that match the text. None for text and numbers. */
async function valuesFor(
  session: Session,
  where: Where,
  option: OptionRow,
  typed: string,
): Promise<Candidate[]> {
  const { serverId, placeId } = where;
  const { replica, actions } = session;
  const prefix = `${option.name}:`;
  const wanted = fold(typed);
  const asText = (name: string): Candidate => ({
    kind: 'option',
    key: prefix + name,
    insert: prefix + quoted(name),
    name,
    about: option.description ?? '',
  });
  switch (option.type) {
    case 'choice':
      return (option.choices ?? []).filter((one) => fold(one).includes(wanted)).map(asText);
    case 'boolean':
      return ['true', 'false'].filter((one) => one.startsWith(wanted)).map(asText);
    case 'channel':
      return replica
        .rows('channel', 'serverId', serverId)
        .filter(({ name }) => fold(`#${name}`).includes(wanted))
        .map(({ id, name, private: isPrivate }) => ({
          kind: 'channel',
          key: id,
          insert: prefix + quoted(`#${name}`),
          name,
          isPrivate,
        }));
    case 'user': {
      const name = typed.replace(/^@/, '');
      if (!isKnown(serverId, name)) await askFor(actions.load, serverId, name);
      return peopleFor(session, serverId, placeId, name).map((person) => ({
        kind: 'person',
        key: person.id,
        insert: `${prefix}@${person.username}`,
        name: person.name,
        about: `@${person.username}`,
        person,
      }));
    }
    default:
      return [];
  }
}

const aboutOf = ({ description, required, type }: OptionRow): string =>
  [description, required && t.options.required, (type === 'text' || type === 'number') && t.options[type]]
    .filter(Boolean)
    .join(' · ');

/**
 * The completions for the last token of a command: values of its option, and option names. Empty if nothing
 * is typed and no required option is missing, so Enter sends the command instead of selecting a completion.
 */
export async function optionsFor(
  session: Session,
  where: Where,
  command: CommandRow,
  { before, token }: { before: string; token: string },
): Promise<Candidate[]> {
  const { given } = parse(command, before);
  const isGiven = (option: OptionRow) => given.some((one) => one.option === option);
  const open = command.options.filter((option) => !isGiven(option));
  if (token === '' && !open.some(({ required }) => required)) return [];
  const named = namedIn(command.options, token);
  const [next] = open;
  const values = named
    ? await valuesFor(session, where, named.option, named.text)
    : next
      ? await valuesFor(session, where, next, token)
      : [];
  const names = named
    ? []
    : open
        .filter(({ name }) => name.startsWith(fold(token)) && (token !== '' || values.length === 0))
        .map(
          (option): Candidate => ({
            kind: 'option',
            key: option.name,
            insert: `${option.name}:`,
            name: option.name,
            about: aboutOf(option),
          }),
        );
  const found = [...values, ...names].slice(0, MOST);
  return found.length === 1 && found[0]?.insert === token ? [] : found;
}
