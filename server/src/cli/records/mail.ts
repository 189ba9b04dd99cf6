import { randomUUID } from 'node:crypto';
import { isMailAddress } from '../../mail/address.ts';
import type { MailSettings } from '../../mail/settings.ts';
import { letterOf } from '../../mail/text.ts';
import { MailError, openTransport } from '../../mail/transport.ts';
import { CommandError } from '../commandError.ts';

/** Implements `palaver mail test`: makes a single attempt that bypasses the queue. Throws CommandError. */
export async function sendTestMail(
  settings: MailSettings,
  given: string,
): Promise<{ id: string; to: string }> {
  const to = given.toLowerCase();
  if (!isMailAddress(to)) throw new CommandError('--to must be an email address such as ada@example.com');
  const id = randomUUID();
  const words = {
    subject: 'Test email from Palaver',
    paragraphs: [`The email settings of ${settings.address} work.`],
  };
  const transport = await openTransport(settings);
  await transport.send(letterOf(to, words), id).catch((error) => {
    throw error instanceof MailError ? new CommandError(`could not send the email: ${error.message}`) : error;
  });
  return { id, to };
}
