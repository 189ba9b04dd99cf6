import {
  type AliasNode,
  type IdentifierNode,
  type OperationNode,
  PostgresQueryCompiler,
  type ReferenceNode,
  type SelectionNode,
  type SelectQueryNode,
  type TableNode,
} from 'kysely';

/** The columns of each table, as of the start of this process. */
const columnsOf = new Map<string, readonly string[]>();

/** Registers a table's columns for `Compiler`. */
export function knowColumns(table: string, columns: readonly string[]): void {
  columnsOf.set(table, columns);
}

/**
 * Expands `*` to column names. Otherwise, prepared statements would fail once another node's migration adds a
 * column, because the result columns of a prepared statement must not change.
 */
export class Compiler extends PostgresQueryCompiler {
  protected override visitSelectQuery(node: SelectQueryNode): void {
    super.visitSelectQuery(node.selections ? { ...node, selections: listed(node) } : node);
  }
}

/** A table in `from` or `join`, under its alias. */
interface Source {
  name: string;
  columns: readonly string[];
}

function listed({ from, joins = [], selections = [] }: SelectQueryNode): SelectionNode[] {
  const sources = [...(from?.froms ?? []), ...joins.map(({ table }) => table)].map(sourceOf);
  return selections.flatMap((node) => {
    const { selection } = node;
    if (selection.kind === 'SelectAllNode') {
      return sources.every((source) => source !== undefined) ? sources.flatMap(all) : [node];
    }
    const { column, table } = selection as Partial<ReferenceNode>;
    if (column?.kind !== 'SelectAllNode') return [node];
    const source = sources.find((source) => source && source.name === table?.table.identifier.name);
    return source ? all(source) : [node];
  });
}

/**
 * Returns the table that a node selects from. Undefined for a subquery, because its own selections are
 * expanded separately.
 */
function sourceOf(node: OperationNode): Source | undefined {
  const isAlias = node.kind === 'AliasNode';
  const source = isAlias ? (node as AliasNode).node : node;
  if (source.kind !== 'TableNode') return undefined;
  const { name } = (source as TableNode).table.identifier;
  const columns = columnsOf.get(name);
  return columns && { name: isAlias ? ((node as AliasNode).alias as IdentifierNode).name : name, columns };
}

const all = ({ name, columns }: Source): SelectionNode[] =>
  columns.map((column) => ({
    kind: 'SelectionNode',
    selection: {
      kind: 'ReferenceNode',
      table: { kind: 'TableNode', table: { kind: 'SchemableIdentifierNode', identifier: identifier(name) } },
      column: { kind: 'ColumnNode', column: identifier(column) },
    } as ReferenceNode,
  }));

const identifier = (name: string): IdentifierNode => ({ kind: 'IdentifierNode', name });
