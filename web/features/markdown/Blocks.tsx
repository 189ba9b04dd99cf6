// biome-ignore-all lint/suspicious/noArrayIndexKey: the parts of a text have no IDs and keep their order
import type { Tokens } from 'marked';
import { createElement, type ReactNode } from 'react';
import { markdown as t } from '../../strings/en/conversation.ts';
import type { Token } from './lex.ts';

/** Renders the tokens inside a block. */
type Draw = (tokens: readonly Token[]) => ReactNode[];

/** A list, possibly nested. */
export function ListOf({ list, draw }: { list: Tokens.List; draw: Draw }) {
  const items = list.items.map((item, at) =>
    createElement(
      'li',
      { key: at, className: item.task ? 'markdown-task' : undefined },
      item.task && <input type="checkbox" checked={item.checked ?? false} disabled aria-label={t.done} />,
      ...draw(item.tokens),
    ),
  );
  return list.ordered ? <ol start={Number(list.start) || 1}>{items}</ol> : <ul>{items}</ul>;
}

/** A table with its own horizontal scrolling. */
export function TableOf({ table, draw }: { table: Tokens.Table; draw: Draw }) {
  return (
    // biome-ignore-start lint/a11y: keyboard users need to scroll it
    <div className="markdown-table" tabIndex={0} role="group" aria-label={t.table}>
      <table>
        <thead>
          <tr>
            {table.header.map((cell, at) =>
              createElement('th', { key: at, 'data-align': cell.align }, ...draw(cell.tokens)),
            )}
          </tr>
        </thead>
        <tbody>
          {table.rows.map((row, line) => (
            <tr key={line}>
              {row.map((cell, at) =>
                createElement('td', { key: at, 'data-align': cell.align }, ...draw(cell.tokens)),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
    // biome-ignore-end lint/a11y: as above
  );
}
