import type { FastifyBaseLogger } from 'fastify';
import type { AppOptions } from '../app.ts';
import type { DigestSender } from '../digest/sender.ts';
import type { AllowedHosts } from '../lib/allowedHosts.ts';
import type { Pulse } from '../lib/pulse.ts';
import type { MailSender } from '../mail/sender.ts';
import type { MailSettings } from '../mail/settings.ts';
import type { PushCourier } from '../push/courier.ts';
import { PushFigures } from '../push/figures.ts';
import { pushKeyOf } from '../push/key.ts';
import type { Resolve } from '../webhooks/guard.ts';
import type { Data } from './data.ts';

interface ReachingOptions {
  data: Data;
  pulse: Pulse;
  /** The hosts of push services. If omitted, no pushes are sent. */
  push: AllowedHosts | undefined;
  /** The mail settings. If omitted, no mail is sent. */
  mail: MailSettings | undefined;
  /** The public address; empty if unknown. */
  address: string;
  /** Replaces DNS in tests. */
  resolve: Resolve | undefined;
}

/** The senders that run on this node. */
export interface Senders {
  mails?: MailSender;
  digests?: DigestSender;
  pushes?: PushCourier;
}

/**
 * Prepares push notifications and emails. `given` are options for the app; `start` starts the senders once the app is
 * ready.
 */
export async function prepareReaching({
  data,
  pulse,
  push,
  mail,
  address,
  resolve,
}: ReachingOptions): Promise<{
  given: Pick<AppOptions, 'mail' | 'mailFigures' | 'pushHosts' | 'pushFigures'>;
  start(log: FastifyBaseLogger): Senders;
  stop(): Promise<unknown>;
}> {
  // Loaded only if mail or pushes are sent.
  const mailing = mail && (await import('../mail/sender.ts'));
  const digesting = mail && (await import('../digest/sender.ts'));
  const pushing = push && (await import('../push/courier.ts'));
  const mailFigures = mailing && new mailing.MailFigures();
  const pushFigures = new PushFigures();
  const senders: Senders = {};
  const outbox = mail && { ...mail, wake: () => senders.mails?.wake() };
  return {
    given: {
      mail: outbox,
      mailFigures,
      ...(push && { pushHosts: push, pushFigures }),
    },
    start(log) {
      if (mail && mailing && mailFigures)
        senders.mails = new mailing.MailSender({ ...data, pulse, settings: mail, figures: mailFigures }, log);
      if (outbox && digesting) senders.digests = new digesting.DigestSender({ ...data, pulse, outbox }, log);
      if (push && pushing) {
        const figures = pushFigures;
        const options = {
          ...data,
          pulse,
          key: pushKeyOf(data),
          allowedHosts: push,
          address,
          figures,
          resolve,
        };
        senders.pushes = new pushing.PushCourier(options, log);
      }
      return senders;
    },
    stop: () => Promise.all(Object.values(senders).map((sender) => sender.stop())),
  };
}
