import { createQueryId, type RootOperationNode } from 'kysely';
import { MAX_PAGE_BYTES, type Runnable } from '../contract.ts';
import { authorityColumn, marksSweep } from '../reach.ts';
import { Parameter, type Template } from '../statements.ts';
import { Compiler } from './columns.ts';
import { type Many, manyOf } from './many.ts';

/** A compiled query. */
interface Compiled {
  /** The name of the prepared statement on each connection; undefined if the text is parsed each time. */
  readonly name: string | undefined;
  readonly text: string;
  readonly parameters: readonly unknown[];
  /** The returned column with the affected ids, if the query changes permissions. */
  readonly authorityOf: string | undefined;
  /** Whether the query inserts into `sweep`. */
  readonly marksSweep: boolean;
  /** Wrapped versions of this query (`bindPage`), by the name of the key column. */
  readonly pages: Map<string, Compiled>;
  /** The statement that combines several reads with different values, if the query can be combined. */
  readonly many?: Many & { readonly compiled: Compiled };
}

type Value = string | number | boolean | Uint8Array | null | readonly string[];

export interface Bound {
  compiled: Compiled;
  values: Value[];
}

/** Maximum cached ad hoc statements. */
const MAX_AD_HOC_STATEMENTS = 400;

const compiler = new Compiler();
const templates = new WeakMap<Template, Compiled>();
const adHoc = new Map<string, Compiled>();
let names = 0;

const newName = (): string => `p${++names}`;

/** Compiles a query and binds its parameter values. Each template is compiled once. */
export function bind(query: Runnable<unknown>): Bound {
  if (!('template' in query)) return bindAdHoc(query.toOperationNode() as RootOperationNode);
  let compiled = templates.get(query.template);
  if (!compiled) {
    const { node, keepsAuthority } = query.template;
    compiled = toCompiled(compiler.compileQuery(node, createQueryId()), node, newName(), keepsAuthority);
    const many = manyOf(query.template, compiled.text, compiled.parameters.length);
    if (many) {
      const ofMany = { ...compiled, name: newName(), text: many.text, pages: new Map() };
      compiled = { ...compiled, many: { ...many, compiled: ofMany } };
    }
    templates.set(query.template, compiled);
  }
  const given = query.values;
  const values = compiled.parameters.map((value) => {
    if (!(value instanceof Parameter)) return toValue(value);
    return value.isJson ? toJson(given[value.name]) : toValue(given[value.name]);
  });
  return { compiled, values };
}

function bindAdHoc(node: RootOperationNode): Bound {
  const query = compiler.compileQuery(node, createQueryId());
  let compiled = adHoc.get(query.sql);
  if (!compiled) {
    const isKept = adHoc.size < MAX_AD_HOC_STATEMENTS;
    compiled = toCompiled(query, node, isKept ? newName() : undefined);
    if (isKept) adHoc.set(query.sql, compiled);
  }
  return { compiled, values: query.parameters.map(toValue) };
}

/** Creates a statement with this text. If it has parameters, the caller has to add their values. */
export const fixed = (text: string): Bound => ({
  compiled: {
    name: newName(),
    text,
    parameters: [],
    authorityOf: undefined,
    marksSweep: false,
    pages: new Map(),
  },
  values: [],
});

/**
 * Wraps a query for `limit` + 1 records so that it returns one row. Its `json` contains the first `limit`
 * records, joined by commas, or fewer if they would exceed `maxBytes`. `count` is their number, and `beyond`
 * is the key of the record after them.
 */
export function bindPage(
  query: Runnable<unknown>,
  key: string,
  limit: number,
  maxBytes = MAX_PAGE_BYTES,
): Bound {
  const { compiled, values } = bind(query);
  let page = compiled.pages.get(key);
  if (!page) {
    const [last, most] = [1, 2].map((number) => `$${values.length + number}::int`);
    page = {
      ...compiled,
      name: compiled.name && newName(),
      text: `select string_agg(record, ',') filter (where fits) as json, count(*) filter (where fits) as count, (array_agg("${key}"::text) filter (where not fits))[1] as beyond
        from (select *, n = 1 or n <= ${last} and bytes <= ${most} as fits from
          (select row_number() over () as n, sum(octet_length(record) + 1) over (rows unbounded preceding) as bytes, *
            from (${compiled.text}) as rows) as numbered) as measured`,
      pages: new Map(),
    };
    compiled.pages.set(key, page);
  }
  return { compiled: page, values: [...values, limit, maxBytes] };
}

const toCompiled = (
  { sql, parameters }: { sql: string; parameters: readonly unknown[] },
  node: RootOperationNode,
  name: string | undefined,
  keepsAuthority = false,
): Compiled => {
  const authorityOf = keepsAuthority ? undefined : authorityColumn(node);
  return {
    name,
    text: authorityOf === undefined ? sql : `${sql} returning "${authorityOf}"`,
    parameters,
    authorityOf,
    marksSweep: marksSweep(node),
    pages: new Map(),
  };
};

function toValue(value: unknown): Value {
  switch (typeof value) {
    case 'string':
    case 'number':
    case 'boolean':
      return value;
    case 'undefined':
      return null;
    default:
      return value === null || value instanceof Uint8Array ? value : JSON.stringify(value);
  }
}

const toJson = (value: unknown): string | null => (value == null ? null : JSON.stringify(value));
