import { conditions } from '../server/src/access/conditions.ts';
import { directRules, type Resource, rules, type Verb } from '../server/src/access/rules.ts';
import { visibility } from '../server/src/access/visibility.ts';
import { GUESSES_RULE } from '../server/src/accounts/guesses.ts';
import { type SettingName, settings } from '../server/src/config.ts';
import { errorCodes, reasons } from '../server/src/errors.ts';
import type { EventKind } from '../server/src/feed/eventKind.ts';
import { flagMeanings } from '../server/src/lib/flags.ts';
import { quotaRows } from '../server/src/limits/quotas.ts';
import { limitTable, WINDOW_MS } from '../server/src/limits/table.ts';
import { conflicts } from '../server/src/operations/conflicts.ts';
import { API_PREFIX, PEOPLE_PREFIX, prefixOf } from '../server/src/operations/operation.ts';
import type { Operation } from '../server/src/operations/perform.ts';
import { secondFactorRules } from '../server/src/operations/secondFactor.ts';
import { events, operations } from '../server/src/resources/index.ts';
import { code, table } from './markdown.ts';

const verbs = ['insert', 'update', 'delete'] as const satisfies Verb[];

/** Generates docs/tables.md from the tables in the code. */
export function tables(): string {
  return `# Tables

<!-- Generated from the tables in the code by \`npm run generate\`: do not edit. \`npm run check\` checks that it is up to date. -->

- [Endpoints](#endpoints)
- [Permissions to write](#permissions-to-write)
- [Permissions to read](#permissions-to-read)
- [Role flags](#role-flags)
- [Rate limits](#rate-limits)
- [Quotas](#quotas)
- [Error codes](#error-codes)
- [Conflicts](#conflicts)
- [Settings](#settings)
- [Events](#events)

${endpointsSection()}

${permissionsToWriteSection()}

${permissionsToReadSection()}

${roleFlagsSection()}

${rateLimitsSection()}

${quotasSection()}

${errorCodesSection()}

${reasonsSection()}

${conflictsSection()}

${settingsSection()}

${eventsSection()}
`;
}

const endpointsSection = (): string => `## Endpoints

${operations.length} endpoints under \`${API_PREFIX}\`, and under \`${PEOPLE_PREFIX}\` for people only. "Kind" is the rate limit that a request counts against. "Who"
is the row of the next two tables that grants permission.

${table(
  ['Resource', 'Operation', 'Method', 'Path', 'Kind', 'Who'],
  operations
    .map((row) => [
      row.tag,
      row.operation,
      row.method,
      code(row.people ? prefixOf(row) + row.path : row.path),
      row.kind,
      whoOf(row),
    ])
    .toSorted(([one = ''], [other = '']) => one.localeCompare(other)),
)}`;

const permissionsToWriteSection = (): string => `## Permissions to write

A write is allowed if one of the terms applies to the key. The "server creator" is the owner, the user in \`creatorId\`. A key never writes in a server
other than its own, except to join one. \`canAdmin\` implies every flag. A key cannot write to a channel that it cannot see.

${table(
  ['Resource', 'Operation', 'Who may'],
  (Object.keys(rules) as Resource[]).flatMap((resource) => rulesOf(resource)),
)}

In a direct message, these rules replace the ones above. Flags and ownership of the server have no effect there.

${table(
  ['Resource', 'Operation', 'Who may'],
  (Object.keys(directRules) as Resource[]).flatMap((resource) => rulesOf(resource, directRules)),
)}

Errors also name these conditions:

${table(
  ['Operations', 'Condition'],
  Object.values(conditions).map(({ of, words }) => [of.join(', '), words]),
)}

FORBIDDEN can also refer to the sign-in:

${table(
  ['Requests', 'Rule'],
  [
    ['signing in with a password', GUESSES_RULE],
    ...Object.entries(secondFactorRules).map(([value, rule]) => [
      `every request of a session, if \`secondFactor\` is \`${value}\``,
      rule,
    ]),
  ],
)}`;

const permissionsToReadSection = (): string => `## Permissions to read

${table(
  ['Name', 'Who may read'],
  Object.entries(visibility).map(([name, { words }]) => [name, words]),
)}`;

const roleFlagsSection = (): string => `## Role flags

${table(['Flag', 'Allows'], Object.entries(flagMeanings))}`;

const rateLimitsSection = (): string => `## Rate limits

Accepted requests in any ${WINDOW_MS / 1000} seconds, per user and kind. \`authentication\` counts failed requests, per client
address. The setting \`limits\` changes these numbers.

${table(
  ['Kind', 'Requests'],
  Object.entries(limitTable).map(([kind, limit]) => [kind, String(limit)]),
)}`;

const quotasSection = (): string => `## Quotas

Limits per server. A write over a quota returns INVALID_REQUEST with the quota's name. The setting \`quotas\` changes these numbers.

${table(
  ['Quota', 'Default', 'Limits'],
  quotaRows.map(([name, quota]) => [name, String(quota.default), quota.words]),
)}`;

const errorCodesSection = (): string => `## Error codes

${table(
  ['Code', 'Status'],
  Object.entries(errorCodes).map(([name, status]) => [name, String(status)]),
)}`;

const reasonsSection = (): string => `## Reasons

The sub-codes of INVALID_REQUEST, in \`details\`. [Errors](api/errors.md#reasons) explains how to fix each.

${table(['Reason', 'Meaning'], Object.entries(reasons))}`;

const conflictsSection = (): string => `## Conflicts

Unique columns, and the message that ALREADY_EXISTS returns for each.

${table(
  ['Unique', 'Message'],
  Object.entries(conflicts).map(([index, message]) => [code(index), message]),
)}`;

const settingsSection = (): string => `## Settings

A flag overrides the environment, the environment overrides the config file, and the config file overrides the default. In the
config file, use the name in the first column.

${table(
  ['Setting', 'Flag', 'Environment', 'Default', 'Meaning'],
  (Object.keys(settings) as SettingName[]).map((name) => {
    const { flag, env, default: value, about } = settings[name];
    return [
      name,
      flag ? code(`--${flag}`) : '',
      code(env),
      name === 'limits' || name === 'quotas' ? 'the table above' : shown(value),
      about,
    ];
  }),
)}`;

const eventsSection = (): string => `## Events

The events in a server's log. Each write appends its events in the same transaction. "Visible to" refers to a row of the table
of permissions to read.

${table(['Type', 'When', 'Visible to'], events.logged.map(rowOf))}

Live events, which are sent only to streams and not stored in the log:

${table(['Type', 'When', 'Visible to'], events.live.map(rowOf))}`;

const rowOf = ({ type, words, audience }: EventKind): string[] => [type, words, audience];

function whoOf(operation: Operation): string {
  if (operation.open) return 'anybody';
  if (operation.does === 'write' || operation.does === 'act' || operation.does === 'upload')
    return `${operation.row.resource}, ${operation.row.verb}`;
  return `read: ${operation.row.visible}`;
}

/** The rules for a resource: one row if all its operations have the same rule, otherwise one row per operation. */
function rulesOf(resource: Resource, of: typeof directRules = rules): string[][] {
  const servedVerbs = verbs.filter((verb) =>
    operations.some(
      ({ does, row }) =>
        (does === 'write' || does === 'act') && row.resource === resource && row.verb === verb,
    ),
  );
  const words = servedVerbs.map((verb) => (of[resource] ?? rules[resource])[verb].words);
  if (new Set(words).size === 1) return [[resource, servedVerbs.join(', '), words[0] as string]];
  return servedVerbs.map((verb, index) => [resource, verb, words[index] as string]);
}

const shown = (value: unknown): string => (String(value) === '' ? 'empty' : code(String(value)));
