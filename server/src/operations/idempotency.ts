import { hash } from 'node:crypto';
import type { Caller } from '../access/authenticator.ts';
import type { Tx } from '../db/contract.ts';
import { find, insert, remove } from '../db/statements.ts';
import { KEPT_MS } from '../db/tables/idempotency.ts';
import { invalid } from '../errors.ts';
import type { Seal } from '../lib/seal.ts';

/** A request that may be repeated (draft-ietf-httpapi-idempotency-key-header). */
export interface Repeatable {
  /** Digest of user, method, path and key. */
  scope: string;
  requestDigest: string;
  /** Encrypts the kept answer, where it must not lie in the database as it is. */
  seal: Seal | undefined;
}

/**
 * Reads `Idempotency-Key`, 1 to 255 characters, quoted (as the draft has it) or not. Undefined without the header;
 * throws INVALID_REQUEST for another form.
 */
export function idempotencyKey(header: string | string[] | undefined): string | undefined {
  if (header === undefined) return undefined;
  const text = String(header);
  const key = /^"(.*)"$/s.exec(text)?.[1] ?? text;
  if (key.length < 1 || key.length > 255) throw invalid('', 'Idempotency-Key: must have 1 to 255 characters');
  return key;
}

/**
 * The request as it is remembered. The same key of a user's API keys in two servers is two requests, not one that is
 * repeated; and a confidential answer is given again to the API key that got it, and to no other of the user's.
 */
export function repeatable(
  { credential, principal: { userId, serverId } }: Caller,
  request: { method: string; path: string; key: string; body: unknown },
  seal: Seal | undefined,
): Repeatable {
  const { method, path, key, body } = request;
  return {
    scope: hash('sha256', JSON.stringify([userId, method, path, key]), 'base64url'),
    requestDigest: hash('sha256', JSON.stringify([body, serverId, seal ? credential.id : null]), 'base64url'),
    seal,
  };
}

/** The first answer to this request, if there was one. Throws INVALID_REQUEST if its body was another. */
export async function keptAnswer(tx: Tx, request: Repeatable, now: number): Promise<string | undefined> {
  const kept = await tx.first(find('idempotency', { scope: request.scope }));
  if (!kept) return undefined;
  if (kept.createdAt <= now - KEPT_MS) {
    await tx.run(remove('idempotency', { scope: request.scope }));
    return undefined;
  }
  if (kept.requestDigest !== request.requestDigest) {
    throw invalid(
      '',
      'Idempotency-Key: was used for another request, with another body or API key: take a new one',
    );
  }
  return request.seal ? request.seal.open(kept.answer) : kept.answer;
}

/** Keeps the answer in the transaction of the write itself: there are both or neither. */
export async function keepAnswer(
  tx: Tx,
  { scope, requestDigest, seal }: Repeatable,
  answer: string,
  now: number,
): Promise<void> {
  await tx.run(
    insert('idempotency', {
      scope,
      requestDigest,
      answer: seal ? seal.seal(answer) : answer,
      createdAt: now,
    }),
  );
}
