import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { flagNames } from '../../server/src/lib/flags.ts';

const folder = join(import.meta.dirname, '..', '..', 'server', 'src', 'db', 'tables');

/** The columns in the type of a table's rows, read from the table's source file. */
export function typedColumns(table: string): string[] {
  const row = interfacesIn(`${table}.ts`).get(`${table[0]?.toUpperCase()}${table.slice(1)}Row`);
  if (!row) throw new Error(`tables/${table}.ts has no type for its rows`);
  const bases = (row.heritageClauses ?? []).flatMap(({ types }) => types.map((type) => type.getText()));
  return [...namesIn(row), ...bases.flatMap(columnsOfBase)];
}

function columnsOfBase(base: string): string[] {
  if (base === 'Flags') return [...flagNames];
  const found = interfacesIn('facts.ts').get(base);
  if (!found) throw new Error(`the type ${base} has no known columns`);
  return namesIn(found);
}

const namesIn = ({ members }: ts.InterfaceDeclaration): string[] =>
  members.map(({ name }) => name?.getText() as string);

function interfacesIn(file: string): Map<string, ts.InterfaceDeclaration> {
  const text = readFileSync(join(folder, file), 'utf8');
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  return new Map(source.statements.filter(ts.isInterfaceDeclaration).map((one) => [one.name.text, one]));
}
