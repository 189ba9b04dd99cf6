import { exactly } from './exact.ts';
import { dataOf } from './expect.ts';
import type { Client, Json } from './world.ts';

/** Creates a ticket. */
export const ticketOf = async (client: Client): Promise<Json> => dataOf(await client.post('/events/tickets'));

/** The headers that a browser's `EventSource` sends on a page from another origin. */
export const asEventSource = {
  accept: 'text/event-stream',
  origin: 'https://chat.example.com',
  'cache-control': 'no-cache',
};

/** The error response to a stream requested with a ticket: its status, code and message. */
export async function refusedStream(
  { url }: { url: string },
  query: Record<string, string>,
  headers: Record<string, string> = {},
): Promise<{ status: number; code: string; message: string; headers: Record<string, unknown> }> {
  const given = await exactly(`${url}/api/v1/events?${new URLSearchParams(query)}`, {
    ...asEventSource,
    ...headers,
  });
  return {
    status: given.status,
    headers: given.headers,
    ...JSON.parse(given.bytes.toString()).error,
  };
}
