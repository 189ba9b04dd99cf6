import { Buffer } from 'node:buffer';
import { globSync } from 'node:fs';
import { join } from 'node:path';
import type { Answer, Client, Json, World } from './world.ts';

/** Bytes that are not in any known format. */
export const plainBytes = (length = 1000): Buffer<ArrayBuffer> => Buffer.alloc(length, 0x61);

/** Uploads bytes with a form. */
export async function upload(
  { url }: Pick<World, 'url'>,
  { key }: Pick<Client, 'key'>,
  bytes: Uint8Array<ArrayBuffer> = plainBytes(),
  name = 'file.txt',
  {
    type = 'application/octet-stream',
    headers = {},
    prefix = '/api/v1',
    path = '/attachments',
    fields = {},
  }: {
    type?: string;
    headers?: Record<string, string>;
    prefix?: string;
    path?: string;
    fields?: Record<string, string>;
  } = {},
): Promise<Answer> {
  const form = new FormData();
  for (const [field, value] of Object.entries(fields)) form.append(field, value);
  form.append('file', new Blob([bytes], { type }), name);
  const answer = await fetch(`${url}${prefix}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, ...headers },
    body: form,
  });
  const body: Json = await answer.json();
  return { status: answer.status, headers: answer.headers, body, data: body.data };
}

/** The bytes of a file, and the headers of the response. */
export async function content(
  { url }: Pick<World, 'url'>,
  { key }: Pick<Client, 'key'>,
  id: string,
  {
    query = '',
    headers = {},
    method = 'GET',
  }: { query?: string; headers?: Record<string, string>; method?: string } = {},
): Promise<{ status: number; headers: Headers; bytes: Buffer }> {
  const answer = await fetch(`${url}/api/v1/attachments/${id}/content${query}`, {
    method,
    headers: { authorization: `Bearer ${key}`, ...headers },
  });
  return { status: answer.status, headers: answer.headers, bytes: Buffer.from(await answer.arrayBuffer()) };
}

/** The names of the files in a data folder, including unfinished uploads, sorted. */
export const storedIn = (folder: string): string[] =>
  globSync('**/*', { cwd: join(folder, 'files'), withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => entry.name)
    .sort();

/** The names of unfinished uploads. */
export const arrivingIn = (folder: string): string[] =>
  globSync('*', { cwd: join(folder, 'files', 'incoming') });

/** Uploads a part of an archive to import, as a platform admin. */
export const uploadPart = (
  to: Parameters<typeof upload>[0],
  by: Parameters<typeof upload>[1],
  importId: string,
  archive: Buffer,
  offset: number | string = 0,
  headers: Record<string, string> = {},
): Promise<Answer> =>
  upload(to, by, new Uint8Array(archive), 'part', {
    ...{ headers, prefix: '/api/people' },
    path: `/platform/imports/${importId}/parts/${offset}`,
  });
