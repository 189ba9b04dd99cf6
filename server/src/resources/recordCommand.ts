import { userInfo } from 'node:os';
import type { Tx } from '../db/contract.ts';
import type { RowOf } from '../db/schema.ts';
import { insert } from '../db/statements.ts';
import { type Deps, newRow } from '../lib/deps.ts';
import type { Actor } from '../operations/work.ts';

/** Adds an operator command to the audit log. */
export const recordCommand = (
  tx: Tx,
  deps: Deps,
  command: string,
  about: RowOf<'audit'>['about'],
): Promise<void> => record(tx, deps, { command, account: account(), actor: 'operator', about });

/** Adds an erasure to the audit log. Erasures are operator commands or follow the closing of an account. */
export const recordErasure = (
  tx: Tx,
  deps: Deps,
  { kind }: Actor,
  about: RowOf<'audit'>['about'],
): Promise<void> =>
  record(tx, deps, {
    command: 'user erase',
    account: kind === 'operator' ? account() : '',
    actor: kind,
    about,
  });

async function record(
  tx: Tx,
  deps: Deps,
  entry: Pick<RowOf<'audit'>, 'command' | 'account' | 'actor' | 'about'>,
): Promise<void> {
  const { id, createdAt: at } = newRow(deps, tx.time());
  await tx.run(insert('audit', { id, at, ...entry }));
}

/** Returns the operating system account of this process: its name, or its number if it has none. */
function account(): string {
  try {
    return userInfo().username;
  } catch {
    return String(process.getuid?.() ?? 'unknown');
  }
}
