import type { Records } from '../../../api/records.ts';
import type { Session } from '../../../replica/index.ts';
import { commands as t } from '../../../strings/en/writing.ts';
import { toast } from '../../../ui/index.ts';
import { act, commandsOf, keepUsed } from '../../interaction/acting/index.ts';
import { askForMember } from '../../member/index.ts';
import type { Candidate } from '../candidates.ts';
import { setCommandNames, type Word } from '../word.ts';
import { commandsFor, optionsFor } from './candidates.ts';
import { type CommandRow, type Given, nameIn, parse } from './parse.ts';

type Channel = Records['Channel'];

/** Thrown for invalid options, with a message for the user. */
class Misuse extends Error {}

/** The commands available in a channel. In a direct message, these are the commands of its agents. */
async function commandsIn(
  session: Session,
  { serverId, memberIds }: Channel,
): Promise<readonly CommandRow[]> {
  const all = await commandsOf(session, serverId);
  setCommandNames(all.map(({ name }) => name));
  return memberIds ? all.filter(({ agentId }) => memberIds.includes(agentId)) : all;
}

/** The completions of a command's name or options. */
export async function completionsOf(
  session: Session,
  placeId: string,
  { typed, from }: Word,
): Promise<Candidate[]> {
  const { replica } = session;
  const channel = replica.row('channel', replica.row('thread', placeId)?.channelId ?? placeId);
  if (!channel) return [];
  const all = await commandsIn(session, channel);
  if (from === 0) return commandsFor(all, typed);
  const text = `/${typed}`;
  const command = all.find(({ name }) => name === nameIn(text));
  if (!command) return [];
  const where = { serverId: channel.serverId, placeId };
  return optionsFor(session, where, command, { before: text.slice(0, from), token: text.slice(from) });
}

async function optionValue(session: Session, serverId: string, { option, text }: Given): Promise<unknown> {
  const { name, type, choices = [] } = option;
  const { replica } = session;
  if (type === 'text') return text;
  if (type === 'number') {
    const number = Number(text.replace(',', '.'));
    if (text.trim() === '' || !Number.isFinite(number)) throw new Misuse(t.number({ name }));
    return number;
  }
  if (type === 'boolean') {
    const value = text.toLowerCase();
    if (value !== 'true' && value !== 'false') throw new Misuse(t.boolean({ name }));
    return value === 'true';
  }
  if (type === 'choice') {
    const found =
      choices.find((one) => one === text) ?? choices.find((one) => one.toLowerCase() === text.toLowerCase());
    if (found === undefined) throw new Misuse(t.choice({ name, choices }));
    return found;
  }
  if (type === 'channel') {
    const wanted = text.replace(/^#/, '').toLowerCase();
    const found = replica
      .rows('channel', 'serverId', serverId)
      .find((channel) => channel.name.toLowerCase() === wanted);
    if (!found) throw new Misuse(t.channel({ name }));
    return found.id;
  }
  const username = text.replace(/^@/, '').toLowerCase();
  const known = () => replica.rows('user', 'username', username)[0]?.id;
  if (known() === undefined) await askForMember(session, serverId, 'usernames', username);
  const found = known();
  if (found === undefined) throw new Misuse(t.user({ name }));
  return found;
}

async function optionsIn(
  session: Session,
  serverId: string,
  command: CommandRow,
  text: string,
): Promise<object> {
  const { given, surplus, twice } = parse(command, text);
  if (twice !== undefined) throw new Misuse(t.twice({ name: twice }));
  if (surplus !== undefined) throw new Misuse(t.tooMany({ text: surplus }));
  const missing = command.options.find(
    (option) => option.required && !given.some((one) => one.option === option && one.text !== ''),
  );
  if (missing) throw new Misuse(t.missing({ name: missing.name }));
  const values: [string, unknown][] = [];
  for (const one of given)
    if (one.text !== '') values.push([one.option.name, await optionValue(session, serverId, one)]);
  return Object.fromEntries(values);
}

/** Dismisses the error of the last attempt. */
let hideLast: (() => void) | undefined;

/**
 * Runs the command that the text starts with. Resolves with `message` if there is none, and with `refused`
 * after showing why the command was not run. `placeId` is the channel, or a thread in it.
 */
export async function use(
  session: Session,
  channel: Channel,
  placeId: string,
  text: string,
): Promise<'used' | 'refused' | 'message'> {
  const { id: channelId, serverId } = channel;
  hideLast?.();
  try {
    const all = await commandsIn(session, channel);
    const command = all.find(({ name }) => name === nameIn(text));
    if (!command) return 'message';
    const options = await optionsIn(session, serverId, command, text);
    const where = { channelId, ...(placeId !== channelId && { threadId: placeId }) };
    await act(session, serverId, { commandId: command.id, ...where, options });
    keepUsed(placeId, true);
    return 'used';
  } catch (error) {
    hideLast = error instanceof Misuse ? toast.show(error.message, { kind: 'bad' }) : toast.error(error);
    return 'refused';
  }
}
