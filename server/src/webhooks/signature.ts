import { createHmac } from 'node:crypto';

/**
 * Creates a signature as specified by Standard Webhooks (version 1). `signed` is the id, the time and the
 * body, separated by dots.
 */
export const signatureOf = (key: Uint8Array, signed: string): string =>
  `v1,${createHmac('sha256', key).update(signed).digest('base64')}`;

/** Returns the key in a secret of the form `whsec_…`. */
export const keyIn = (secret: string): Uint8Array => Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
