import { isDeepStrictEqual } from 'node:util';
import type { RowOf } from '../../db/schema.ts';
import { importKinds, importSources, importStates } from '../../db/tables/import.ts';
import { Type } from '../../lib/schema.ts';
import { count, flag, id, name, nullable, oneOf, record, size, text, time } from '../../operations/fields.ts';
import { recordOf } from '../common.ts';

/** Maximum lines in the log of an import; the oldest are dropped. */
const MAX_LINES = 200;
/** Maximum characters per line in the log. */
const MAX_LINE = 1_000;
const MAX_FILE_NAME = 200;

const counts = Type.Object({
  found: count('Rows in the archive: the sum of `written`, `present` and `lost`'),
  written: count('Rows that were added'),
  present: count('Rows that already existed'),
  lost: count('Rows that are not imported'),
  reasons: Type.Array(Type.Object({ reason: Type.String(), count: count() }), {
    description: 'Why rows were lost or changed, most frequent reasons first',
  }),
});

const report = Type.Object(
  { server: id(), ...Object.fromEntries(importKinds.map((kind) => [kind, counts])) },
  { description: 'The report, as `palaver import --json` prints it' },
);

export const sourceField = oneOf(importSources, 'The product that the archive comes from');
export const newServerField = name('The name of a new server', 'Harbour');
export const fileName = text({ max: MAX_FILE_NAME, examples: ['harbour.zip'] });

export const platformImport = record('PlatformImport', {
  creatorId: id('The platform admin who created it'),
  source: sourceField,
  serverId: nullable(id('The server to import into; null for a new one that has not been created yet')),
  newServer: nullable(newServerField),
  ownerId: nullable(id('The owner of the new server')),
  name: fileName,
  bytes: size('The size of the archive'),
  received: size('Bytes of the archive received so far: the offset of the next part'),
  sha256: nullable(text({ max: 64, description: 'The SHA-256 that the archive must have' })),
  state: oneOf(
    importStates,
    '`ready` once the archive is complete, `planned` after a dry run, `done` after an import',
  ),
  dryRun: flag('Whether it is a dry run'),
  rows: count('Number of rows read so far'),
  totalRows: nullable(count('Rows in the archive; null before a dry run has counted them')),
  planned: nullable(report),
  report: nullable(report),
  asPlanned: nullable(flag('Whether the import matched its dry run; null before it is done')),
  failure: nullable(text({ max: MAX_LINE, examples: ['The archive has no file channels.json.'] })),
  log: Type.Array(Type.Object({ at: time(), text: Type.String() }), {
    description: `The last ${MAX_LINES} lines, oldest first`,
  }),
});
const toRecord = recordOf(platformImport);

export const toImport = (row: RowOf<'import'>) =>
  toRecord({
    ...row,
    dryRun: row.isDryRun,
    asPlanned:
      row.state === 'done' && row.report !== null ? isDeepStrictEqual(row.planned, row.report) : null,
  });

/** Adds a line to a log. */
export const withLine = (log: RowOf<'import'>['log'], at: number, line: string): RowOf<'import'>['log'] => [
  ...log.slice(1 - MAX_LINES),
  { at, text: line.slice(0, MAX_LINE) },
];
