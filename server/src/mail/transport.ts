import type { MailSettings } from './settings.ts';
import type { Letter } from './text.ts';

/** Timeouts for the steps of a connection. */
const CONNECT_TIMEOUT_MS = 10_000;
const SILENCE_TIMEOUT_MS = 15_000;
/** Timeout for a whole email. It is shorter than the backoff, after which another node may retry. */
const MAIL_TIMEOUT_MS = 45_000;

/**
 * Thrown if the mail server did not accept an email. The message contains neither the recipient nor the
 * password.
 */
export class MailError extends Error {
  /**
   * `recipient` means that the address or the text is permanently rejected; `server`, that no mail can be
   * sent at the moment; `later`, that this email cannot be sent at the moment.
   */
  readonly kind: 'recipient' | 'server' | 'later';

  constructor(kind: MailError['kind'], message: string) {
    super(message);
    this.kind = kind;
  }
}

export interface Transport {
  /** Sends an email. `id` is the same for every attempt. Throws MailError. */
  send(letter: Letter, id: string): Promise<void>;
  /** Connects and signs in without sending anything. Throws MailError. */
  verify(): Promise<void>;
}

/** Creates a transport for the configured server. Each email uses its own connection. */
export async function openTransport({
  server,
  login,
  sender,
  tls,
  address,
}: MailSettings): Promise<Transport> {
  const { createTransport } = await import('nodemailer');
  const { hostname, port, protocol } = new URL(server);
  const secure = protocol === 'smtps:';
  const colon = login.indexOf(':');
  const domain = new URL(address).hostname;
  const transporter = createTransport({
    host: hostname.replace(/^\[(.*)\]$/, '$1'),
    port: port === '' ? (secure ? 465 : 587) : Number(port),
    secure,
    requireTLS: tls === 'required',
    ignoreTLS: tls === 'off',
    ...(login !== '' && { auth: { user: login.slice(0, colon), pass: login.slice(colon + 1) } }),
    name: domain,
    connectionTimeout: CONNECT_TIMEOUT_MS,
    greetingTimeout: CONNECT_TIMEOUT_MS,
    dnsTimeout: CONNECT_TIMEOUT_MS,
    socketTimeout: SILENCE_TIMEOUT_MS,
    // Prevents nodemailer from reading files or fetching URLs because of an email's content.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    async send({ to, subject, text, html, unsubscribe }, id) {
      const mail = {
        from: sender,
        // This is an object, because text would be parsed as a list of addresses.
        to: { name: '', address: to },
        subject,
        text,
        html,
        messageId: `<${id}@${domain}>`,
        headers: {
          'Auto-Submitted': 'auto-generated',
          ...(unsubscribe !== undefined && {
            'List-Unsubscribe': `<${unsubscribe}>`,
            'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
          }),
        },
      };
      await inTime(transporter.sendMail(mail));
    },
    async verify() {
      await inTime(transporter.verify());
    },
  };
}

async function inTime(task: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject({ code: 'ETIMEDOUT' }), MAIL_TIMEOUT_MS);
  });
  try {
    await Promise.race([task, late]);
  } catch (error) {
    throw mailErrorOf(error);
  } finally {
    clearTimeout(timer);
  }
}

/** Messages for error codes from Node and nodemailer. */
const words: Readonly<Record<string, string>> = {
  EAUTH: 'the server rejected the login: check mailLogin',
  ENOAUTH: 'the server requires a login: set mailLogin',
  ETLS: 'the server does not support TLS, which mailTls requires',
  ECONNREFUSED: 'nothing is listening there',
  ENOTFOUND: 'unknown host',
  EDNS: 'unknown host',
  ETIMEDOUT: 'the server did not respond in time',
};

interface Failure {
  code?: string;
  responseCode?: number;
  command?: string;
  /** Node's error code. */
  originalCode?: string;
}

/** Describes the failure without the text of the server's response, which may contain the recipient. */
function mailErrorOf(error: unknown): MailError {
  const { code = 'unknown', responseCode: status, originalCode = code } = error as Failure;
  const isAboutMail = code === 'EENVELOPE' || code === 'EMESSAGE';
  if (isAboutMail && status !== undefined && status >= 500)
    return new MailError('recipient', `the server rejected the email: ${status}`);
  if (isAboutMail && status !== undefined)
    return new MailError('later', `the server deferred the email: ${status}`);
  // For certificates, the code is descriptive enough, for example DEPTH_ZERO_SELF_SIGNED_CERT.
  const reason = words[originalCode] ?? words[code] ?? `failed with ${originalCode}`;
  return new MailError('server', status === undefined ? reason : `${reason} (${status})`);
}
