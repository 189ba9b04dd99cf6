import { hash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import type { Caller } from '../../access/authenticator.ts';
import { perform } from '../../operations/perform.ts';
import type { Services } from '../../operations/services.ts';
import { performUpload, type UploadOperation } from '../../operations/upload.ts';
import type { WriteOperation } from '../../operations/write.ts';
import { tenantFor } from '../tenant.ts';

/** A stored file from a form. */
export interface Uploaded {
  id: string;
  name: string;
  type: string;
  bytes: number;
  width: number | null;
  height: number | null;
}

/** An upload takes space twice: once as received, and once without its metadata. */
const COPIES = 2;

/**
 * Stores the files of a form, as the webhook's agent. With an `Idempotency-Key`, repeating the request
 * returns the same files. Throws the errors of the upload, and RATE_LIMITED if too many uploads are running.
 */
export async function uploadFiles(
  services: Services,
  attachmentInsert: UploadOperation,
  request: FastifyRequest,
  files: readonly File[],
  key: string | undefined,
): Promise<Uploaded[]> {
  if (files.length === 0) return [];
  const caller = request.caller as Caller;
  const end = request.server.uploads.begin(caller.principal.userId, tenantFor(request));
  const release = await services.disks.files.reserve(COPIES * sum(files.map(({ size }) => size)));
  const { figures } = services.files;
  const uploaded: Uploaded[] = [];
  try {
    for (const [index, file] of files.entries()) {
      const bytes = Readable.from([Buffer.from(await file.arrayBuffer())]);
      const incoming = { bytes, type: file.type, name: file.name };
      const ofFile = key === undefined ? undefined : hash('sha256', `${index} ${key}`);
      const { data, text } = await performUpload(services, attachmentInsert, caller, {}, incoming, {
        key: ofFile,
      });
      uploaded.push((data ?? JSON.parse(String(text)).data) as Uploaded);
      figures.uploads.stored++;
    }
    return uploaded;
  } catch (error) {
    figures.uploads.refused++;
    throw error;
  } finally {
    release();
    end();
  }
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

/**
 * Deletes files whose message was not sent, because unsent files count against a limit until they expire
 * after a day.
 */
export async function discardFiles(
  services: Services,
  attachmentDelete: WriteOperation,
  caller: Caller,
  files: readonly Uploaded[],
): Promise<void> {
  for (const { id } of files)
    await perform(services, attachmentDelete, caller, { params: { id } }).catch(() => {});
}
