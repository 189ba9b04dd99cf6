/**
 * A program for each generator, written as its users would write it. Its `use` sends a message, reads a
 * page, creates a webhook and gets an error. Its types assert what the generator has to produce: numbers
 * for `int64`, a union for a nullable enum, events discriminated by type.
 */
export const programs: Readonly<Record<string, string>> = {
  openapiTypescript: `
import createClient from 'openapi-fetch';
import type { components, paths } from './openapiTypescript/schema.js';

type Event = components['schemas']['Event'];
export const contentOf = (event: Event): string => (event.type === 'message.created' ? event.data.content : '');

export async function use(baseUrl: string, key: string, channelId: string) {
  const client = createClient<paths>({ baseUrl, headers: { authorization: \`Bearer \${key}\` } });
  const sent = await client.POST('/api/v1/messages', { body: { channelId, content: 'By openapi-typescript' } });
  const path = { channelId };
  const page = await client.GET('/api/v1/channels/{channelId}/messages', { params: { path, query: { limit: 1 } } });
  const url = 'https://example.com/palaver';
  const made = await client.POST('/api/v1/webhooks', { body: { url } });
  const reason: 'failing' | 'gone' | null | undefined = made.data?.data.disabledReason;
  const at: number | undefined = sent.data?.data.createdAt;
  const missing = await client.GET('/api/v1/channels/{channelId}', { params: { path: { channelId: 'none' } } });
  return { id: sent.data?.data.id, at, page: page.data?.data, next: page.data?.nextCursor, reason, code: missing.error?.error.code };
}
`,

  heyApi: `
import { channelById, channelMessages, messageSend, webhookInsert } from './heyApi/index.js';
import { client } from './heyApi/client.gen.js';
import type { Event } from './heyApi/types.gen.js';

export const contentOf = (event: Event): string => (event.type === 'message.created' ? event.data.content : '');

export async function use(_baseUrl: string, key: string, channelId: string) {
  client.setConfig({ auth: key });
  const sent = await messageSend({ body: { channelId, content: 'By heyApi' } });
  const page = await channelMessages({ path: { channelId }, query: { limit: 1 } });
  const made = await webhookInsert({ body: { url: 'https://example.com/palaver' } });
  const reason: 'failing' | 'gone' | null | undefined = made.data?.data.disabledReason;
  const at: number | undefined = sent.data?.data.createdAt;
  const missing = await channelById({ path: { channelId: 'none' } });
  return { id: sent.data?.data.id, at, page: page.data?.data, next: page.data?.nextCursor, reason, code: missing.error?.error.code };
}
`,

  orval: `
import { channelById, channelMessages, type Event, messageSend, webhookInsert } from './orval/client.js';

export const contentOf = (event: Event): string => (event.type === 'message.created' ? event.data.content : '');

export async function use(_baseUrl: string, key: string, channelId: string) {
  const options = { headers: { authorization: \`Bearer \${key}\` } };
  const sent = await messageSend({ channelId, content: 'By orval' }, options);
  const page = await channelMessages(channelId, { limit: 1 }, options);
  const made = await webhookInsert({ url: 'https://example.com/palaver' }, options);
  const missing = await channelById('none', undefined, options);
  if (sent.status !== 200 || page.status !== 200 || made.status !== 200 || missing.status !== 404) throw new Error('refused');
  const reason: 'failing' | 'gone' | null = made.data.data.disabledReason;
  const at: number = sent.data.data.createdAt;
  return { id: sent.data.data.id, at, page: page.data.data, next: page.data.nextCursor, reason, code: missing.data.error.code };
}
`,

  kubb: `
import { channelById } from './kubb/clients/channelById.js';
import { channelMessages } from './kubb/clients/channelMessages.js';
import { messageSend } from './kubb/clients/messageSend.js';
import { webhookInsert } from './kubb/clients/webhookInsert.js';
import type { ChannelById404 } from './kubb/types/ChannelById.js';
import type { Event } from './kubb/types/Event.js';

export const contentOf = (event: Event): string => (event.type === 'message.created' ? event.data.content : '');

export async function use(_baseUrl: string, key: string, channelId: string) {
  // This client has no named type for the body.
  const headers = { authorization: \`Bearer \${key}\`, 'content-type': 'application/json' };
  const options = { headers };
  const sent = await messageSend({ channelId, content: 'By kubb' }, undefined, options);
  const page = await channelMessages(channelId, { limit: 1 }, options);
  const made = await webhookInsert({ url: 'https://example.com/palaver' }, undefined, options);
  const reason: 'failing' | 'gone' | null = made.data.data.disabledReason;
  const at: number = sent.data.data.createdAt;
  // This client does not throw on errors: responses are typed as successes.
  const missing: { data: unknown } = await channelById('none', undefined, options);
  const refused = missing.data as ChannelById404;
  return { id: sent.data.data.id, at, page: page.data.data, next: page.data.nextCursor, reason, code: refused.error.code };
}
`,

  zod: `
import { isErrorFromAlias } from '@zodios/core';
import type { z } from 'zod';
import { createApiClient, schemas } from './zod/client.js';

type Event = z.infer<typeof schemas.Event>;
export const contentOf = (event: Event): string => (event.type === 'message.created' ? event.data.content : '');

/** The client validates every response with its schemas. */
export async function use(baseUrl: string, key: string, channelId: string) {
  const client = createApiClient(baseUrl, { axiosConfig: { headers: { authorization: \`Bearer \${key}\` } } });
  const sent = await client.messageSend({ channelId, content: 'By zod' });
  const page = await client.channelMessages({ params: { channelId }, queries: { limit: 1 } });
  const made = await client.webhookInsert({ url: 'https://example.com/palaver' });
  const reason: 'failing' | 'gone' | null = made.data.disabledReason;
  const at: number = sent.data.createdAt;
  const events = await client.events({ queries: { limit: 100 } });
  if (!events.data.some((event) => contentOf(schemas.Event.parse(event)) === 'By zod')) throw new Error('no event');
  const code = await client.channelById({ params: { channelId: 'none' } }).then(
    () => undefined,
    (error) => (isErrorFromAlias(client.api, 'channelById', error) ? error.response.data.error.code : String(error)),
  );
  return { id: sent.data.id, at, page: page.data, next: page.nextCursor, reason, code };
}
`,
};
