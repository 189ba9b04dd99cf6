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

/** The time in which a person has to sign in at the provider; and then to answer what else is asked for. */
const LIFE_MS = 10 * 60_000;
const SECRET_BYTES = 32;
/** Sign-ins that are under way. Others are told to come later. */
const ROOM = { all: 10_000, ofAddress: 100 };

/** The place of what is kept of a request, for `Seal`. */
const cellOf = (id: string) => ({ table: 'authenticationRequest', column: 'sealed', id });

/** The provider of an id. Throws NOT_FOUND. */
export function providerOf({ services }: Pick<ActCall, 'services'>, id: string): Provider {
  const found = services.providers.get(id);
  if (!found) throw notFound('provider');
  return found;
}

/** The error of a provider as an answer. */
function refusalOf(error: unknown): unknown {
  if (!(error instanceof ProviderError)) return error;
  if (error.kind === 'refused') return unauthenticated('UNAUTHORIZED', `${error.message}: begin anew`);
  return new ApiError('INTERNAL_ERROR', `${error.message}: try again later`, undefined, {
    'retry-after': '10',
  });
}

/** A path on this server, to which a page may lead back. Throws INVALID_REQUEST for one that leads elsewhere. */
export function requirePath(path: string, text: string): void {
  const here = 'http://palaver.invalid';
  // Browsers read a backslash as a slash, and leave out tabs and line breaks.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: those are meant
  const isPath = /^\/(?!\/)[^\\\u0000-\u0020\u007f]*$/.test(text);
  if (!isPath || !URL.canParse(text, here) || new URL(text, here).origin !== here)
    throw invalid('wrong_form', path, 'must be the path of a page of this server, such as /channels');
}

interface Begun {
  returnTo: string;
  /** The person who connects an account, and their session; null for a sign-in. */
  userId: string | null;
  sessionId: string | null;
}

/** Begins a sign-in at a provider. `binding` goes into a cookie: only its browser can go on. Throws RATE_LIMITED where too many are under way. */
export async function begin(call: ActCall, provider: Provider, { returnTo, userId, sessionId }: Begun) {
  const secret = () => Buffer.from(call.services.deps.randomBytes(SECRET_BYTES)).toString('base64url');
  // The page to which the provider leads back tells by it which of the two it completes.
  const [state, binding] = [`${userId === null ? 'in' : 'add'}.${secret()}`, secret()];
  const { url, ...checks } = await provider.begin(state).catch((error) => {
    throw refusalOf(error);
  });
  const row = await call.write(async (work) => {
    const { db, newRow, services } = work;
    if (await isFull(work, 'authenticationRequest', call.address, ROOM))
      throw new ApiError(
        'RATE_LIMITED',
        'too many sign-ins with a provider are under way: try again in a minute',
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
    'this sign-in was not begun in this browser, is over, or was completed already: begin anew',
  );

type Request = RowOf<'authenticationRequest'>;

/** True if the request is this browser's, and not over. */
const isOf = (row: Request, { binding, now }: Pick<ActCall, 'binding' | 'now'>): boolean =>
  binding !== undefined && row.browser === digestOf(binding) && row.expiresAt > now;

/**
 * Checks the answer of a provider, once, and says who it is. Throws UNAUTHORIZED for an answer to nothing that this browser has asked, to
 * another provider, or that is not good; INTERNAL_ERROR if the provider cannot be reached.
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
  // The answer of one provider is never taken to another, which could be one that lies (RFC 9700, 4.4).
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

/** Keeps who it is, until the person has answered what else is asked for. */
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

/** The sign-in of this browser that waits for an answer of the person. Throws UNAUTHORIZED. */
export async function returnedOf(call: ActCall): Promise<{ row: Request; claimed: Claimed }> {
  const row =
    call.binding === undefined
      ? undefined
      : await call.db.first(find('authenticationRequest', { browser: digestOf(call.binding) }));
  if (!row || !isOf(row, call) || row.stage !== 'returned' || row.userId !== null) throw over();
  return { row, claimed: JSON.parse(call.services.seal.open(row.sealed, cellOf(row.id))) as Claimed };
}

/** Ends a request, once. Throws UNAUTHORIZED if another was sooner. */
export async function endRequest(db: Tx, { id }: Request): Promise<void> {
  const ended = q.deleteFrom('authenticationRequest').where('id', '=', id).where('stage', '!=', 'sent');
  if ((await db.count(ended)) !== 1) throw over();
}
