import { unauthenticated } from '../../access/authenticator.ts';
import { digestOf } from '../../access/credentials/token.ts';
import type { Tx } from '../../db/contract.ts';
import type { RowOf } from '../../db/schema.ts';
import { find, insert, q } from '../../db/statements.ts';
import { ApiError, invalid, notFound } from '../../errors.ts';
import type { ActCall } from '../../operations/act.ts';
import { ProviderError } from '../openid/errors.ts';
import type { Checks, Claimed, Provider } from '../openid/provider.ts';
import { isFull } from '../room.ts';

/** Time limit for signing in at the provider, and separately for completing any further steps. */
const LIFE_MS = 10 * 60_000;
const SECRET_BYTES = 32;
/** Maximum sign-ins in progress, in total and per address. Further ones are rejected. */
const ROOM = { all: 10_000, ofAddress: 100 };

/** Identifies the database cell of a request's data. `Seal` binds the data to it. */
const cellOf = (id: string) => ({ table: 'authenticationRequest', column: 'sealed', id });

/** Returns the provider with this id. Throws NOT_FOUND. */
export function providerOf({ services }: Pick<ActCall, 'services'>, id: string): Provider {
  const found = services.providers.get(id);
  if (!found) throw notFound('provider');
  return found;
}

/** Converts a provider's error to the error for the response. */
function refusalOf(error: unknown): unknown {
  if (!(error instanceof ProviderError)) return error;
  if (error.kind === 'refused') return unauthenticated('UNAUTHORIZED', `${error.message}. Start again`);
  return new ApiError('INTERNAL_ERROR', `${error.message}. Try again later`, undefined, {
    'retry-after': '10',
  });
}

/** Throws INVALID_REQUEST unless the text is a path on this server to return to. */
export function requirePath(path: string, text: string): void {
  const here = 'http://palaver.invalid';
  // Browsers read a backslash as a slash, and strip tabs and line breaks.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are intended
  const isPath = /^\/(?!\/)[^\\\u0000-\u0020\u007f]*$/.test(text);
  if (!isPath || !URL.canParse(text, here) || new URL(text, here).origin !== here)
    throw invalid('wrong_form', path, 'must be a path on this server, such as /channels');
}

interface Begun {
  returnTo: string;
  /** The person who is connecting an account, and their session; null for a sign-in. */
  userId: string | null;
  sessionId: string | null;
  /** Whether the provider has to authenticate the person again. */
  isProof?: boolean | undefined;
}

/**
 * Starts a sign-in at a provider. `binding` is set as a cookie, so that only this browser can continue.
 * Throws RATE_LIMITED if too many are in progress.
 */
export async function begin(
  call: ActCall,
  provider: Provider,
  { returnTo, userId, sessionId, isProof }: Begun,
) {
  const secret = () => Buffer.from(call.services.deps.randomBytes(SECRET_BYTES)).toString('base64url');
  // The provider returns `state` to our page. Its prefix identifies the flow to complete: signing in, or
  // connecting an account.
  const [state, binding] = [`${userId === null ? 'in' : 'add'}.${secret()}`, secret()];
  const { url, ...checks } = await provider.begin(state, isProof).catch((error) => {
    throw refusalOf(error);
  });
  const row = await call.write(async (work) => {
    const { db, newRow, services } = work;
    if (await isFull(work, 'authenticationRequest', call.address, ROOM))
      throw new ApiError(
        'RATE_LIMITED',
        'too many sign-ins are in progress. Try again in a minute',
        undefined,
        { 'retry-after': '60' },
      );
    const made = newRow();
    const row: RowOf<'authenticationRequest'> = {
      ...made,
      provider: provider.settings.id,
      digest: digestOf(state),
      browser: digestOf(binding),
      stage: 'sent',
      sealed: services.seal.seal(JSON.stringify(checks), cellOf(made.id)),
      userId,
      sessionId,
      address: call.address,
      returnTo,
      expiresAt: made.createdAt + LIFE_MS,
    };
    await db.run(insert('authenticationRequest', row));
    return row;
  });
  return { data: { ...row, url }, binding };
}

const over = (): ApiError =>
  unauthenticated(
    'UNAUTHORIZED',
    'this sign-in was started in another browser, has expired, or is already complete. Start again',
  );

type Request = RowOf<'authenticationRequest'>;

/** Whether the request belongs to this browser and has not expired. */
const isOf = (row: Request, { binding, now }: Pick<ActCall, 'binding' | 'now'>): boolean =>
  binding !== undefined && row.browser === digestOf(binding) && row.expiresAt > now;

/**
 * Verifies a provider's response and returns the identity. Works once per request. Throws UNAUTHORIZED if
 * this browser did not start the request, if the request was sent to another provider, or if the response is
 * invalid; INTERNAL_ERROR if the provider is unreachable.
 */
export async function claimedBy(
  call: ActCall,
  provider: Provider,
  query: string,
  isOurs: (row: Request) => boolean,
): Promise<{ row: Request; claimed: Claimed }> {
  const state = new URLSearchParams(query).get('state') ?? '';
  const row = await call.db.first(find('authenticationRequest', { digest: digestOf(state) }));
  if (!row || !isOf(row, call) || row.stage !== 'sent' || !isOurs(row)) throw over();
  // Never sends one provider's response to another, which could be malicious (mix-up attack, RFC 9700, 4.4).
  if (row.provider !== provider.settings.id) throw over();
  const used = q
    .updateTable('authenticationRequest')
    .set({ stage: 'used' })
    .where('id', '=', row.id)
    .where('stage', '=', 'sent');
  if ((await call.write(({ db }) => db.count(used))) !== 1) throw over();
  const checks = JSON.parse(call.services.seal.open(row.sealed, cellOf(row.id))) as Checks;
  const claimed = await provider.finish(query, state, checks).catch((error) => {
    throw refusalOf(error);
  });
  return { row, claimed };
}

/** Stores the identity until the person has completed the remaining steps. */
export async function keepClaimed(call: ActCall, { id }: Request, claimed: Claimed): Promise<void> {
  await call.write(async ({ db, services: { seal }, now }) => {
    const sealed = seal.seal(JSON.stringify(claimed), cellOf(id));
    const kept = q
      .updateTable('authenticationRequest')
      .set({ stage: 'returned', sealed, expiresAt: now + LIFE_MS })
      .where('id', '=', id)
      .where('stage', '=', 'used');
    if ((await db.count(kept)) !== 1) throw over();
  });
}

/**
 * Returns the sign-in of this browser that the provider has confirmed but that another step has to complete.
 * Throws UNAUTHORIZED.
 */
export async function returnedOf(call: ActCall): Promise<{ row: Request; claimed: Claimed }> {
  const row =
    call.binding === undefined
      ? undefined
      : await call.db.first(find('authenticationRequest', { browser: digestOf(call.binding) }));
  if (!row || !isOf(row, call) || row.stage !== 'returned' || row.userId !== null) throw over();
  return { row, claimed: JSON.parse(call.services.seal.open(row.sealed, cellOf(row.id))) as Claimed };
}

/** Ends a request. Throws UNAUTHORIZED if another request ended it first. */
export async function endRequest(db: Tx, { id }: Request): Promise<void> {
  const ended = q.deleteFrom('authenticationRequest').where('id', '=', id).where('stage', '!=', 'sent');
  if ((await db.count(ended)) !== 1) throw over();
}
