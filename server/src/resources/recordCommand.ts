import { userInfo } from 'node:os';
import type { Tx } from '../db/contract.ts';
import type { RowOf } from '../db/schema.ts';
import { insert } from '../db/statements.ts';
import { type Deps, newRow } from '../lib/deps.ts';

/** Adds an operator command to the audit log, in the same transaction as its change. */
export async function recordCommand(
  tx: Tx,
  deps: Deps,
  command: string,
  about: RowOf<'audit'>['about'],
): Promise<void> {
  const { id, createdAt: at } = newRow(deps, tx.time());
  await tx.run(insert('audit', { id, at, command, account: account(), about }));
}

/** The operating system account of this process: its name, or its number if it has none. */
function account(): string {
  try {
    return userInfo().username;
  } catch {
    return String(process.getuid?.() ?? 'unknown');
  }
}
