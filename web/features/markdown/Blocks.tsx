// biome-ignore-all lint/suspicious/noArrayIndexKey: the parts of a text have no IDs and keep their order
import { createElement, type ReactNode } from 'react';
import type { Block, Inline } from '../../../server/src/lib/text/index.ts';
import { markdown as t } from '../../strings/en/conversation.ts';

type List = Extract<Block, { type: 'list' }>;
type Table = Extract<Block, { type: 'table' }>;

/** Renders the blocks inside a block. `isTight` leaves out the space around paragraphs. */
type Draw = (blocks: readonly Block[], isTight: boolean) => ReactNode[];

/** A list, possibly nested. */
export function ListOf({ list, draw }: { list: List; draw: Draw }) {
  const items = list.items.map(({ isDone, children }, at) =>
    createElement(
      'li',
      { key: at, className: isDone === undefined ? undefined : 'markdown-task' },
      isDone !== undefined && <input type="checkbox" checked={isDone} disabled aria-label={t.done} />,
      ...draw(children, list.isTight),
    ),
  );
  return list.isOrdered ? <ol start={list.start}>{items}</ol> : <ul>{items}</ul>;
}

/** A table with its own horizontal scrolling. */
export function TableOf({ table, draw }: { table: Table; draw: (line: readonly Inline[]) => ReactNode[] }) {
  const { aligns, rows } = table;
  const [head = [], ...others] = rows;
  const row = (cells: readonly Inline[][], tag: 'th' | 'td') => [
    ...cells.map((cell, at) => createElement(tag, { key: at, 'data-align': aligns[at] }, ...draw(cell))),
    cells.length < aligns.length && <td key="missing" colSpan={aligns.length - cells.length} />,
  ];
  return (
    // biome-ignore-start lint/a11y: keyboard users need to scroll it
    <div className="markdown-table" tabIndex={0} role="group" aria-label={t.table}>
      <table>
        <thead>
          <tr>{row(head, 'th')}</tr>
        </thead>
        <tbody>
          {others.map((cells, line) => (
            <tr key={line}>{row(cells, 'td')}</tr>
          ))}
        </tbody>
      </table>
    </div>
    // biome-ignore-end lint/a11y: as above
  );
}
