import { isDeepStrictEqual } from 'node:util';
import type { TSchema } from 'typebox';
import { conditions, requireCondition } from '../../../access/conditions.ts';
import type { Principal } from '../../../access/principal.ts';
import type { Reader } from '../../../db/contract.ts';
import type { RowOf } from '../../../db/schema.ts';
import { q } from '../../../db/statements.ts';
import { invalid } from '../../../errors.ts';
import { isId } from '../../../lib/deps.ts';
import { isVisible, nameProblem, storedName } from '../../../lib/names.ts';
import { load } from '../../common.ts';
import type { ChannelFacts } from '../load.ts';
import { type Block, blocks, MAX_BLOCK_BYTES, type ShownActions, type ShownBlock } from './blocks.ts';
import { type Element, isLabel } from './elements.ts';
import { requireInitialValues } from './initial.ts';

interface Union {
  oneOf?: readonly (TSchema & { properties: { type: { enum: readonly string[] } } })[];
  items?: TSchema;
  properties?: Record<string, TSchema>;
  [isLabel]?: true;
  maxLength?: number;
}

/**
 * Returns a copy of the value with only the fields in the schema, and with labels in their stored form.
 * Throws INVALID_REQUEST.
 */
function known(schema: TSchema, value: unknown, path: string): unknown {
  const { oneOf, items, properties, maxLength = 0, ...rest } = schema as Union;
  if (oneOf) {
    const { type } = value as { type: string };
    const found = oneOf.find((one) => one.properties.type.enum[0] === type) as TSchema;
    return known(found, value, path);
  }
  if (items) return (value as unknown[]).map((one, index) => known(items, one, `${path}.${index}`));
  if (properties) {
    const given = value as Record<string, unknown>;
    return Object.fromEntries(
      Object.entries(properties)
        .filter(([name]) => Object.hasOwn(given, name))
        .map(([name, part]) => [name, known(part, given[name], `${path}.${name}`)]),
    );
  }
  if (!rest[isLabel]) return value;
  const text = storedName(value as string);
  const found = nameProblem(text, maxLength);
  if (found) throw invalid(found.reason, path, found.message);
  return text;
}

/** The block fields that contain visible text. */
const READ = new Set(['text', 'alt', 'title', 'label', 'placeholder', 'submit', 'initial']);

/** Returns the texts of blocks, for word rules. Empty if there are no blocks. */
export function textIn(value: unknown): string {
  if (typeof value !== 'object' || value === null) return '';
  return Object.entries(value)
    .map(([name, part]) => (typeof part === 'string' ? (READ.has(name) ? part : '') : textIn(part)))
    .filter((text) => text !== '')
    .join('\n');
}

/** Returns the interactive elements of a block. */
export function elementsOf(block: Block | ShownBlock): readonly Element[] {
  if (block.type === 'actions') return block.elements;
  return block.type === 'section' && block.button ? [block.button] : [];
}

/** Throws INVALID_REQUEST if two blocks, or two elements of a block, have the same id. */
function requireUnique(all: readonly { id?: string }[], path: string): void {
  const seen = new Set<string>();
  for (const [index, { id }] of all.entries()) {
    if (id === undefined) continue;
    if (seen.has(id)) throw invalid('duplicate', `${path}.${index}.id`, 'is already used in this message');
    seen.add(id);
  }
}

/** Numbers the blocks that have no id. */
function numbered(all: readonly Block[]): Block[] {
  const taken = new Set(all.map(({ id }) => id));
  let number = 0;
  const next = (): string => {
    do number++;
    while (taken.has(`b${number}`));
    return `b${number}`;
  };
  return all.map((block) => (block.id === undefined ? { ...block, id: next() } : block));
}

/**
 * Performs the checks that the schema cannot express. Returns the blocks in their stored form. Throws
 * INVALID_REQUEST.
 */
function checkedBlocks(given: readonly unknown[]): Block[] {
  const all = known(blocks, given, 'blocks') as Block[];
  requireUnique(all, 'blocks');
  for (const [index, block] of all.entries()) {
    const path = `blocks.${index}`;
    if ('text' in block && !isVisible(block.text))
      throw invalid('blank', `${path}.text`, 'must have a visible character');
    requireUnique(elementsOf(block), block.type === 'section' ? path : `${path}.elements`);
    requireInitialValues(elementsOf(block), block.type === 'section' ? `${path}.button` : `${path}.elements`);
  }
  const stored = numbered(all);
  if (Buffer.byteLength(JSON.stringify(stored)) > MAX_BLOCK_BYTES)
    throw invalid('too_long', 'blocks', `must be at most ${MAX_BLOCK_BYTES} bytes of JSON`);
  return stored;
}

/** Throws INVALID_REQUEST unless all images are files of the message. */
function requireImages(all: readonly Block[], files: readonly { id: string; type: string }[]): void {
  const images = new Set(files.filter(({ type }) => type.startsWith('image/')).map(({ id }) => id));
  for (const [index, block] of all.entries()) {
    const named = block.type === 'image' ? block : block.type === 'section' ? block.image : undefined;
    if (named && !images.has(named.attachmentId))
      throw invalid(
        'mismatch',
        `blocks.${index}${block.type === 'image' ? '' : '.image'}.attachmentId`,
        'is not an image among the files of the message',
      );
  }
}

const membersAmong = (serverId: string, userIds: readonly string[]) =>
  q
    .selectFrom('serverMember')
    .innerJoin('user', 'user.id', 'serverMember.userId')
    .select(['user.id', 'user.type'])
    .where('serverMember.serverId', '=', serverId)
    .where('serverMember.userId', 'in', userIds);

/**
 * Checks an approval's deciders. They must be people and roles of the server or, in a direct message, its
 * members. Throws INVALID_REQUEST or NOT_FOUND.
 */
async function requireDeciders(
  db: Reader,
  block: Block,
  path: string,
  { serverId, memberIds }: ChannelFacts,
): Promise<void> {
  if (block.type !== 'actions' || !block.deciders) return;
  const { userIds = [], roleIds = [], rule, count } = block.deciders;
  const at = `${path}.deciders`;
  if (userIds.length + roleIds.length === 0) throw invalid('too_few', at, 'must contain a user or a role');
  if (rule === 'all' && count !== undefined)
    throw invalid('not_together', `${at}.count`, 'is only for the rule first');
  if (new Set(userIds).size < userIds.length)
    throw invalid('duplicate', `${at}.userIds`, 'contains a user twice');
  if (new Set(roleIds).size < roleIds.length)
    throw invalid('duplicate', `${at}.roleIds`, 'contains a role twice');
  if (memberIds && roleIds.length > 0)
    throw invalid('wrong_kind', `${at}.roleIds`, 'must be empty in a direct message');
  const ids = userIds.filter(isId);
  const members = ids.length > 0 ? await db.all(membersAmong(serverId, ids)) : [];
  const people = new Set(members.filter(({ type }) => type === 'person').map(({ id }) => id));
  for (const [index, userId] of userIds.entries()) {
    if (!people.has(userId) || (memberIds && !memberIds.includes(userId)))
      throw invalid('mismatch', `${at}.userIds.${index}`, 'is not a person in this server or direct message');
  }
  for (const [index, id] of roleIds.entries()) {
    const found = await load(db, 'role', id);
    if (found.serverId !== serverId)
      throw invalid('mismatch', `${at}.roleIds.${index}`, 'is a role of another server');
  }
}

/** Whether two approvals ask the same question of the same deciders. */
const isSame = ({ decisions: _1, decidedAt: _2, ...one }: ShownActions, other: Block): boolean =>
  isDeepStrictEqual(one, other);

interface Place {
  channel: ChannelFacts;
  /** The files of the message. */
  files: readonly { id: string; type: string }[];
}

/** Returns the blocks of a message in their stored form. Throws INVALID_REQUEST or NOT_FOUND. */
async function valid(db: Reader, given: readonly unknown[], { channel, files }: Place): Promise<Block[]> {
  const all = checkedBlocks(given);
  requireImages(all, files);
  for (const [index, block] of all.entries()) await requireDeciders(db, block, `blocks.${index}`, channel);
  return all;
}

/**
 * Returns the blocks of a new message. Undefined if it has none. Throws FORBIDDEN unless the principal is an
 * agent.
 */
export async function newBlocks(
  { db, principal }: { db: Reader; principal: Principal },
  given: readonly unknown[] | undefined,
  place: Place,
): Promise<Block[] | undefined> {
  if (!given || given.length === 0) return undefined;
  requireCondition(principal, conditions.blocks, { isAuthor: true });
  return valid(db, given, place);
}

type Message = Pick<RowOf<'message'>, 'attachments' | 'blocks' | 'creatorId'>;

/** Returns the blocks of a message. */
export const storedBlocks = ({ blocks }: Pick<RowOf<'message'>, 'blocks'>): readonly ShownBlock[] =>
  (blocks ?? []) as readonly ShownBlock[];

/**
 * Returns the new blocks of a message, with the decisions in its approvals so far; null for none, undefined
 * if they are unchanged. An approval with decisions cannot be changed, only removed, because people decided
 * on its original text. Throws FORBIDDEN unless the principal is the agent that sent it.
 */
export async function changedBlocks(
  { db, principal }: { db: Reader; principal: Principal },
  given: readonly unknown[] | undefined,
  message: Message,
  channel: ChannelFacts,
): Promise<ShownBlock[] | null | undefined> {
  const before = storedBlocks(message);
  if (!given || given.length + before.length === 0) return undefined;
  // Every author can remove link previews.
  if (given.length > 0 || !before.every(({ type }) => type === 'preview'))
    requireCondition(principal, conditions.blocks, { isAuthor: message.creatorId === principal.userId });
  if (given.length === 0) return null;
  const files = (message.attachments ?? []) as { id: string; type: string }[];
  return (await valid(db, given, { channel, files })).map((block, index): ShownBlock => {
    const found = before.find(({ id }) => id === block.id);
    if (found?.type !== 'actions' || !found.decisions) return block;
    if (isSame(found, block)) return found;
    throw invalid(
      'wrong_kind',
      `blocks.${index}`,
      'is an approval with decisions, which can only be removed',
    );
  });
}
