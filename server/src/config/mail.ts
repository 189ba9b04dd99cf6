import { addressOf, oneOf, wholeNumber } from '../lib/settings.ts';
import { isLocal, type MailSettings, senderFrom } from '../mail/settings.ts';

const isText = (value: unknown): value is string => typeof value === 'string';

/** The mail settings. */
export const mailSettings = {
  mail: {
    env: 'PALAVER_MAIL',
    default: '',
    about: 'Mail server, smtp://host:port, or smtps:// for implicit TLS; if empty, no email is sent',
    parse(value: unknown): string {
      const text = addressOf('smtp', 'smtps')(value);
      if (text === '') return '';
      const { username, password, pathname, search, hostname } = new URL(text);
      if (username || password) throw new Error('must not contain a login: set PALAVER_MAIL_LOGIN');
      if (hostname === '' || (pathname !== '' && pathname !== '/') || search !== '')
        throw new Error('must be a URL such as smtp://mail.example.com:587');
      return text;
    },
  },
  mailLogin: {
    env: 'PALAVER_MAIL_LOGIN',
    default: '',
    about: 'Login for the mail server, as name:password; if empty, none is sent',
    parse(value: unknown): string {
      if (value !== '' && (!isText(value) || !/^[^:]+:./s.test(value)))
        throw new Error('must be name:password');
      return value as string;
    },
  },
  mailFrom: {
    env: 'PALAVER_MAIL_FROM',
    default: '',
    about: 'Sender of emails, such as palaver@example.com or Palaver <palaver@example.com>',
    parse(value: unknown): string {
      if (!isText(value)) throw new Error('must be text');
      if (value !== '') senderFrom(value);
      return value;
    },
  },
  mailTls: {
    env: 'PALAVER_MAIL_TLS',
    default: 'required' as const,
    about:
      'TLS to the mail server: with a valid certificate (required), or none (off), for a server on this machine or a trusted network',
    parse: oneOf('required', 'off'),
  },
  mailHourly: {
    env: 'PALAVER_MAIL_HOURLY',
    default: 1000,
    about: 'Maximum emails per hour',
    parse: wholeNumber(1, 1_000_000),
  },
};

type MailConfig = { [K in keyof typeof mailSettings]: ReturnType<(typeof mailSettings)[K]['parse']> } & {
  address: string;
};

/**
 * Combines the mail settings; undefined if mail is not configured. Throws an Error if one is missing or they
 * conflict.
 */
export function mailFrom({
  mail,
  mailLogin,
  mailFrom,
  mailTls,
  mailHourly,
  address,
}: MailConfig): MailSettings | undefined {
  if (mail === '') return undefined;
  if (address === '') throw new Error('mail requires the setting address, which links in emails start with');
  if (mailFrom === '') throw new Error('mail requires the setting mailFrom, the sender of emails');
  if (mailTls === 'off' && mail.startsWith('smtps:'))
    throw new Error('mail is smtps://, which does not work with mailTls off');
  if (mailTls === 'off' && mailLogin !== '' && !isLocal(mail))
    throw new Error('mailLogin must not be sent without TLS: set mailTls to required');
  return {
    server: mail,
    login: mailLogin,
    sender: senderFrom(mailFrom),
    tls: mailTls,
    hourly: mailHourly,
    address,
  };
}
