import { q } from '../../../db/statements.ts';
import { maskOf, withoutBeginning } from '../../../flows/mask.ts';
import type { Filled, Step, StepType } from '../../../flows/steps.ts';
import type { Values } from '../../../flows/template.ts';
import { late } from '../../../lib/late.ts';
import type { Services } from '../../../operations/services.ts';
import { inspect } from '../../../operations/validation.ts';
import type { CallAnswer } from '../../../webhooks/call.ts';
import type { Agents } from '../../../webhooks/guard.ts';
import { NoAnswer, reasonOf, reasons } from '../../../webhooks/reasons.ts';
import { keyIn, signatureOf } from '../../../webhooks/signature.ts';
import { isWithinHosts, secretNamesIn } from '../hosts.ts';
import { StepFailure, Unanswered } from './failure.ts';
import { fill } from './values.ts';

const TIMEOUT_MS = 15_000;
/** The headers that the HTTP client sets. */
const ownHeaders: ReadonlySet<string> = new Set([
  'host',
  'connection',
  'content-length',
  'transfer-encoding',
  'upgrade',
  'expect',
  'te',
  'trailer',
  'accept-encoding',
]);

const client = late(async () => ({
  ...(await import('../../../webhooks/call.ts')),
  ...(await import('../../../webhooks/guard.ts')),
}));
const agentsByPrivacy = new Map<boolean, Agents>();

interface Secret {
  name: string;
  value: string;
  hosts: readonly string[];
}

/** A request step that is ready to be sent. */
export interface Call {
  /** The fields of the step, with the values of secrets masked. */
  input: unknown;
  /** Sends the request. Returns the response, with secrets masked. Throws StepFailure and Unanswered. */
  send(signal: AbortSignal): Promise<object>;
}

/**
 * Resolves the templates of an `http.call`. Apart from key rotation, only this function decrypts app secrets.
 * The idempotency key `key` is the same for each attempt. Throws StepFailure.
 */
export async function callOf(
  services: Services,
  {
    step,
    type,
    values,
    serverId,
    key,
  }: { step: Step; type: StepType; values: Values; serverId: string; key: string },
): Promise<Call> {
  const secrets = await secretsOf(services, serverId, step);
  const opened = Object.fromEntries(secrets.map(({ name, value }) => [name, value]));
  const hidden = secrets.map(({ value }) => value);
  const mask = maskOf(hidden);
  // Copies getters instead of calling them, because the getter of `event` throws if the event has expired.
  const properties = Object.getOwnPropertyDescriptors(values);
  const filled = fill(step, type, Object.defineProperties({ secret: opened }, properties));
  const input = mask(filled);
  return {
    input,
    async send(signal) {
      try {
        const request = requestOf(filled, secrets, { key, at: services.deps.now() });
        const { text, ...answer } = await answered(services, request, signal);
        const kept = answer.isWhole ? text : withoutBeginning(text, hidden);
        return mask(outputOf({ ...answer, text: kept })) as object;
      } catch (error) {
        if (!(error instanceof Error)) throw error;
        error.message = String(mask(error.message));
        throw Object.assign(error, { input });
      }
    },
  };
}

/**
 * Returns the secrets that a step refers to; of several with the same name, the newest. Throws StepFailure if
 * one is unknown.
 */
async function secretsOf({ db, seal }: Services, serverId: string, step: Step): Promise<Secret[]> {
  const names = secretNamesIn(step);
  if (names.length === 0) return [];
  const rows = await db.read.all(
    q
      .selectFrom('secret')
      .select(['id', 'name', 'sealed', 'hosts'])
      .where('serverId', '=', serverId)
      .where('kind', '=', 'appSecret')
      .where('name', 'in', names)
      .orderBy('id', 'desc')
      .limit(100),
  );
  return names.map((name) => {
    const row = rows.find((one) => one.name === name);
    if (!row?.sealed) throw new StepFailure(`there is no secret ${name}`);
    const value = seal.open(row.sealed, { table: 'secret', column: 'sealed', id: row.id });
    return { name, value, hosts: row.hosts ?? [] };
  });
}

interface Request {
  method: string;
  url: URL;
  headers: Record<string, string>;
  body: Uint8Array | undefined;
}

function requestOf(
  filled: Filled,
  secrets: readonly Secret[],
  { key, at }: { key: string; at: number },
): Request {
  const url = URL.parse(String(filled.url));
  if (!url || !/^https?:$/.test(url.protocol)) throw new StepFailure('url is not an http or https URL');
  if (url.username || url.password) throw new StepFailure('url must not contain a user or password');
  for (const { name, hosts } of secrets)
    if (!isWithinHosts(url.hostname, hosts))
      throw new StepFailure(`the secret ${name} may not be sent to this host`);
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries((filled.headers as object | undefined) ?? {})) {
    const lower = name.toLowerCase();
    if (ownHeaders.has(lower)) throw new StepFailure(`the header ${lower} cannot be set`);
    headers[lower] = typeof value === 'object' ? JSON.stringify(value) : String(value);
  }
  headers['idempotency-key'] ??= key;
  const method = String(filled.method ?? 'POST');
  const hasBody = filled.json !== undefined && method !== 'GET';
  const text = hasBody ? JSON.stringify(filled.json) : '';
  if (hasBody) headers['content-type'] ??= 'application/json';
  const { value: signing } = secrets.find(({ name }) => name === filled.sign) ?? {};
  if (signing !== undefined) Object.assign(headers, signatureHeaders(signing, { key, at, text }));
  return { method, url, headers, body: hasBody ? Buffer.from(text) : undefined };
}

/**
 * Returns the headers that Standard Webhooks specifies. A secret without the prefix `whsec_` is used as raw
 * bytes.
 */
function signatureHeaders(secret: string, { key, at, text }: { key: string; at: number; text: string }) {
  const signing = secret.startsWith('whsec_') ? keyIn(secret) : Buffer.from(secret);
  const timestamp = String(Math.floor(at / 1000));
  const signature = signatureOf(signing, `${key}.${timestamp}.${text}`);
  return { 'webhook-id': key, 'webhook-timestamp': timestamp, 'webhook-signature': signature };
}

async function answered(services: Services, request: Request, signal: AbortSignal): Promise<CallAnswer> {
  const { allowedHosts } = services;
  const { callHost, createAgents } = await client();
  const { allowPrivate } = allowedHosts;
  const agents = agentsByPrivacy.get(allowPrivate) ?? createAgents(allowPrivate);
  agentsByPrivacy.set(allowPrivate, agents);
  const late = AbortSignal.timeout(TIMEOUT_MS);
  try {
    return await callHost({ ...request, signal: AbortSignal.any([signal, late]) }, agents, allowedHosts);
  } catch (error) {
    if (error instanceof TypeError) throw new StepFailure('a header contains characters that cannot be sent');
    if (late.aborted) throw new Unanswered(reasons.late);
    const reason = reasonOf(error);
    if (error instanceof NoAnswer && reason === 'notAllowed') throw new StepFailure(reasons.notAllowed);
    throw new Unanswered(reasons[reason]);
  }
}

/** Returns the output of a response. Throws StepFailure or Unanswered unless the response is a success. */
function outputOf({ status, contentType, text, isWhole }: CallAnswer): object {
  const json = isWhole && /\bjson\b/.test(contentType) ? jsonIn(text) : undefined;
  const output = { status, isWhole, ...(json === undefined ? { text } : { json }) };
  if (status >= 200 && status < 300) return output;
  const message = `the host returned ${status}`;
  if (status >= 500 || status === 429 || status === 408) throw new Unanswered(message);
  throw new StepFailure(message);
}

/** Parses text as JSON; undefined if it is not JSON, or if Palaver would reject it in a body. */
function jsonIn(text: string): unknown {
  try {
    const json = JSON.parse(text);
    inspect(json, 'response');
    return json;
  } catch {
    return undefined;
  }
}
