import { engine } from '../support/databases.ts';
import type { BodyFields } from '../support/fields.ts';
import type { Ready } from '../support/ready.ts';
import type { Scene } from '../support/scene.ts';
import { apps } from './app.ts';
import { appInstalls } from './appInstall.ts';
import { attachments } from './attachment.ts';
import { categories } from './category.ts';
import { channels } from './channel.ts';
import { commands } from './command.ts';
import { emojis } from './emoji.ts';
import { exported } from './export.ts';
import { flows } from './flow.ts';
import { heldMessages } from './heldMessage.ts';
import { indicators } from './indicator.ts';
import { interactions } from './interaction.ts';
import { invites } from './invite.ts';
import { messages } from './message.ts';
import { notifications } from './notification.ts';
import { pictures } from './picture.ts';
import { pins } from './pin.ts';
import { reactions } from './reaction.ts';
import { reports } from './report.ts';
import { roles } from './role.ts';
import type { Noun, Read, Write } from './row.ts';
import { secrets } from './secret.ts';
import { servers } from './server.ts';
import { serverBans } from './serverBan.ts';
import { serverMembers } from './serverMember.ts';
import { messageDeltas } from './stream.ts';
import { threads } from './thread.ts';
import { tickets } from './ticket.ts';
import { users } from './user.ts';
import { userRoles } from './userRole.ts';
import { webhooks } from './webhook.ts';
import { wordRules } from './wordRule.ts';

/** Every noun in the API for keys. A noun comes after the nouns that its records need. */
export const nouns: readonly Noun[] = [
  servers,
  users,
  pictures,
  categories,
  emojis,
  channels,
  messages,
  messageDeltas,
  attachments,
  threads,
  pins,
  reactions,
  reports,
  wordRules,
  exported,
  heldMessages,
  serverMembers,
  serverBans,
  roles,
  userRoles,
  invites,
  secrets,
  apps,
  appInstalls,
  commands,
  interactions,
  flows,
  indicators,
  tickets,
  notifications,
  webhooks,
];

/** Fields that a row gets from its noun: the noun itself, and the limit that its requests count against. */
interface Place {
  noun: Noun;
  kind: string;
}

export type ReadRow = Read & Place & { method: 'GET' };
export type WriteRow = Write & Place;
export type Row = ReadRow | WriteRow;

/** The filters of a read: its own, and `expand` if its records name users. */
function filtersOf({ filters, answer }: Read): Pick<Read, 'filters'> {
  const words = ['creator', 'user', 'actor'].filter((word) => `${word}Id` in answer);
  if (words.length === 0) return {};
  const all = words.length > 1 ? [...words, words.join()] : words;
  return { filters: { ...filters, expand: all } };
}

/** Every read. Reads count against the `query` limit, writes against their noun's limit. */
export const reads: readonly ReadRow[] = nouns.flatMap((noun) =>
  noun.reads.map((row) => ({ ...row, ...filtersOf(row), noun, kind: 'query', method: 'GET' as const })),
);
export const writes: readonly WriteRow[] = nouns.flatMap((noun) =>
  noun.writes.map((row) => ({ ...row, noun, kind: noun.name })),
);
export const operations: readonly Row[] = [...reads, ...writes];
export const inserts = writes.filter(({ method }) => method === 'POST');
export const updates = writes.filter(({ method }) => method === 'PATCH');
export const removals = writes.filter(({ method }) => method === 'DELETE');

/** The number of requests in 60 s for each limit, from the specification, part 8, and decisions, part 7. */
export const limits: Record<string, number> = {
  query: 60,
  ...Object.fromEntries(nouns.flatMap(({ name, limit }) => (limit === undefined ? [] : [[name, limit]]))),
};

const typesOf = (isLive: boolean): string[] =>
  nouns
    .filter(({ live = false }) => live === isLive)
    .flatMap(({ name, events = [] }) => events.map((verb) => `${name}.${verb}`));

export const eventTypes: readonly string[] = [...typesOf(false), 'flowRun.created', 'flowRun.updated'];

/** The live event types of nouns that only people use. They have no rows here; the files `spec/people.*` test them. */
const livePeopleTypes: readonly string[] = [
  'channelPlacement.updated',
  'draft.deleted',
  'draft.updated',
  'following.updated',
  'mark.updated',
  'notificationLevel.updated',
  'presence.updated',
  'reading.updated',
  'saved.deleted',
  'saved.updated',
  'scheduledMessage.deleted',
  'scheduledMessage.updated',
];
/** The event types of interactions. Webhooks cannot receive most of them. `spec/interactions` tests them. */
export const interactionTypes: readonly string[] = [
  'approval.decided',
  'interaction.created',
  'interaction.deleted',
  'interaction.updated',
];
/** Logged event types of nouns that only people use. `spec/people.invitations` tests those of invitations. */
export const loggedPeopleTypes: readonly string[] = [
  'block.created',
  'block.deleted',
  'invitation.created',
  'invitation.deleted',
];
/** The event types of imports. `imports/history` tests them. */
export const commandTypes: readonly string[] = ['import.finished'];
export const liveEventTypes: readonly string[] = [...typesOf(true), ...livePeopleTypes];

/** A write with one form of its body. */
export interface BodyRow {
  name: string;
  row: WriteRow;
  ready(scene: Scene): Promise<Ready>;
  fields: BodyFields;
}

export const bodies: readonly BodyRow[] = writes.flatMap((row) => [
  ...(row.fields ? [{ name: row.name, row, ready: row.ready, fields: row.fields }] : []),
  ...(row.variants ?? []).map(({ as, ...form }) => ({ ...form, name: `${row.name} ${as}`, row })),
]);

/**
 * For tests that do not depend on the engine, such as tests of rules and schemas: all rows on the embedded engine,
 * but only the first row of each noun on PostgreSQL.
 */
export function sampled<Each>(rows: readonly Each[], nounOf: (row: Each) => Noun): readonly Each[] {
  if (engine === 'sqlite') return rows;
  return [...new Map(rows.toReversed().map((row) => [nounOf(row), row])).values()].toReversed();
}

/** The path with its parameter filled in. */
export const pathOf = ({ path, needs = '' }: { path: string; needs?: string }, id = ''): string =>
  path.replace(/:\w+/, id) + needs;

/** The path with additional query parameters. */
export const withQuery = (path: string, query: string): string =>
  `${path}${path.includes('?') ? '&' : '?'}${query}`;

/** A typical request, with the required fields and those in `sample`. */
export async function requestOf(row: Row, scene: Scene): Promise<Ready> {
  const { id, body } = await row.ready(scene);
  if (row.method === 'GET' || row.method === 'DELETE') return { id };
  return { id, body: { ...body, ...(await row.sample?.(scene)) } };
}
