import type { FastifyBaseLogger } from 'fastify';
import type { AppOptions } from '../app.ts';
import { q } from '../db/statements.ts';
import type { AllowedHosts } from '../lib/allowedHosts.ts';
import type { Pulse } from '../lib/pulse.ts';
import type { MailSender } from '../mail/sender.ts';
import type { MailSettings } from '../mail/settings.ts';
import { PushFigures } from '../push/figures.ts';
import { pushKeyOf } from '../push/key.ts';
import type { Resolve } from '../webhooks/guard.ts';
import type { Data } from './data.ts';
import { LateSender } from './lateSender.ts';

interface ReachingOptions {
  data: Data;
  pulse: Pulse;
  /** The push service hosts that are allowed. If omitted, no pushes are sent. */
  push: AllowedHosts | undefined;
  /** The mail settings. If omitted, no mail is sent. */
  mail: MailSettings | undefined;
  /** The public address; empty if unknown. */
  address: string;
  /** Replaces DNS resolution in tests. */
  resolve: Resolve | undefined;
}

/** The senders that run on this node. */
export interface Senders {
  mails?: MailSender;
  digests?: LateSender;
  pushes?: LateSender;
}

/**
 * Prepares push notifications and emails. `given` are options for the app; `start` starts the senders once
 * the app is ready.
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
  // The sender is loaded only if mail is configured.
  const mailing = mail && (await import('../mail/sender.ts'));
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
      const dueIn = (table: 'emailDigest' | 'push') => async () => {
        const due = q.selectFrom(table).select('dueAt').where('dueAt', '<=', data.deps.now());
        return (await data.db.read.first(due.limit(1))) !== undefined;
      };
      if (outbox) {
        const load = async () => {
          const { DigestSender } = await import('../digest/sender.ts');
          return new DigestSender({ ...data, pulse, outbox }, log);
        };
        const options = { pulse, isDue: dueIn('emailDigest'), load };
        senders.digests = new LateSender(options, log, 'looking for email digests');
      }
      if (push) {
        const place = { pulse, allowedHosts: push, address, figures: pushFigures, resolve };
        const load = async () => {
          const { PushCourier } = await import('../push/courier.ts');
          return new PushCourier({ ...data, ...place, key: pushKeyOf(data) }, log);
        };
        senders.pushes = new LateSender({ pulse, isDue: dueIn('push'), load }, log, 'looking for pushes');
      }
      return senders;
    },
    stop: () => Promise.all(Object.values(senders).map((sender) => sender.stop())),
  };
}
