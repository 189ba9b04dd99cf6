import type { MailSettings } from '../../mail/settings.ts';
import { openTransport } from '../../mail/transport.ts';
import { attempt, type Finding } from './finding.ts';

/** Connects to the mail server and signs in, without sending anything. */
export const examineMail = (settings: MailSettings): Promise<Finding> =>
  attempt('mail', async () => {
    await (await openTransport(settings)).verify();
    const { server, login, tls } = settings;
    return `${server} responds${tls === 'off' ? ', without TLS' : ', over TLS'}${login === '' ? '' : ', and accepts the login'}`;
  });
