import { hash } from 'node:crypto';
import type { Caller } from '../access/authenticator.ts';
import type { Tx } from '../db/contract.ts';
import { find, insert, remove } from '../db/statements.ts';
import { KEPT_MS } from '../db/tables/idempotency.ts';
import { invalid } from '../errors.ts';
import { type ContentNoun, versionOf } from '../feed/contentRefs.ts';
import { Contents, GONE } from '../feed/contents.ts';
import type { Seal } from '../lib/seal.ts';

/** A request with an `Idempotency-Key` (draft-ietf-httpapi-idempotency-key-header). */
export interface Repeatable {
  /** A digest of the user, server, method, path and key. */
  scope: string;
  /** A digest of the body and, for a confidential response, of the API key. */
  requestDigest: string;
  /** Encrypts the stored response if it is confidential. */
  seal: Seal | undefined;
}

type Data = { id: string } & Record<string, unknown>;

/**
 * Returns the data of a stored response, with its record's content filled in. If a message has been edited
 * since, its author gets the earlier version, and others get the current one. A deleted record has no
 * content. `userId` is the user who made the request.
 */
export async function renewed(tx: Tx, noun: ContentNoun, data: Data, userId: string): Promise<object> {
  // A held message does not exist yet. Only its author and moderators may see its text.
  if (data.held === true) return data;
  const { id: contentOf, serverId, channelId } = data;
  const row = {
    type: `${noun}.updated`,
    logId: serverId as string,
    channelId: channelId as string | null,
    contentOf,
    version: noun === 'message' ? versionOf(data as never) : null,
    data: JSON.stringify(data),
  };
  const { data: now, earlier, subject } = await new Contents(tx).fill(row);
  const isOwn = earlier?.creatorId === userId;
  const filled = JSON.parse(isOwn ? earlier.data : now);
  return noun === 'message' && subject?.state === GONE ? { ...filled, deleted: true } : filled;
}

/**
 * Parses the `Idempotency-Key` header: 1 to 255 characters, quoted (as in the IETF draft) or unquoted.
 * Undefined without the header. Throws INVALID_REQUEST.
 */
export function idempotencyKey(header: string | string[] | undefined): string | undefined {
  if (header === undefined) return undefined;
  const text = String(header);
  const key = /^"(.*)"$/s.exec(text)?.[1] ?? text;
  if (key.length < 1 || key.length > 255) {
    const reason = key.length < 1 ? 'blank' : 'too_long';
    throw invalid(reason, '', 'the Idempotency-Key must have 1 to 255 characters');
  }
  return key;
}

/**
 * Returns the scope and the digest of a request. The scope includes the server, so the same key in another
 * server is a different one. With a `seal`, the digest covers the API key, so a confidential response is
 * replayed only to the API key that received it.
 */
export function repeatable(
  { credential, principal: { userId, serverId } }: Caller,
  request: { method: string; path: string; key: string; body: unknown },
  seal: Seal | undefined,
): Repeatable {
  const { method, path, key, body } = request;
  return {
    scope: hash('sha256', JSON.stringify([userId, serverId, method, path, key]), 'base64url'),
    requestDigest: hash('sha256', JSON.stringify([body, seal ? credential.id : null]), 'base64url'),
    seal,
  };
}

/**
 * Returns the stored response to this request, if there is one. Throws INVALID_REQUEST if the key was used
 * for a different request.
 */
export async function keptAnswer(tx: Tx, request: Repeatable, now: number): Promise<string | undefined> {
  const kept = await tx.first(find('idempotency', { scope: request.scope }));
  if (!kept) return undefined;
  if (kept.createdAt <= now - KEPT_MS) {
    await tx.run(remove('idempotency', { scope: request.scope }));
    return undefined;
  }
  if (kept.requestDigest !== request.requestDigest) {
    throw invalid(
      'key_reused',
      '',
      'this Idempotency-Key was used for a request with another body or API key. Use a new one',
    );
  }
  return request.seal ? request.seal.open(kept.answer, cellOf(request)) : kept.answer;
}

/** Stores the response in the transaction of the write, so that neither is committed without the other. */
export async function keepAnswer(tx: Tx, request: Repeatable, answer: string, now: number): Promise<void> {
  const { scope, requestDigest, seal } = request;
  await tx.run(
    insert('idempotency', {
      scope,
      requestDigest,
      answer: seal ? seal.seal(answer, cellOf(request)) : answer,
      createdAt: now,
    }),
  );
}

const cellOf = ({ scope }: Repeatable) => ({ table: 'idempotency', column: 'answer', id: scope });
