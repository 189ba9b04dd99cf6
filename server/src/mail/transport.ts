import type { MailSettings } from './settings.ts';
import type { Letter } from './text.ts';

/** The time limits of each step of a connection. */
const CONNECT_TIMEOUT_MS = 10_000;
const SILENCE_TIMEOUT_MS = 15_000;
/** The time limit of a whole mail: less than the wait before the next attempt, which another node may make. */
const MAIL_TIMEOUT_MS = 45_000;

/** A mail was not taken. The message names neither the recipient nor the password. */
export class MailError extends Error {
  /** `recipient`: the address or the text is refused for ever. `server`: no mail can be sent just now. `later`: this one cannot. */
  readonly kind: 'recipient' | 'server' | 'later';

  constructor(kind: MailError['kind'], message: string) {
    super(message);
    this.kind = kind;
  }
}

export interface Transport {
  /** Sends a mail. `id` is its identifier, the same in each attempt. Throws MailError. */
  send(letter: Letter, id: string): Promise<void>;
  /** Connects and signs in, and sends nothing. Throws MailError. */
  verify(): Promise<void>;
}

/** The way to the server of the settings. Each mail has a connection of its own. */
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
    // Nothing in a mail may make it read a file or ask an address.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    async send({ to, subject, text, html }, id) {
      const mail = {
        from: sender,
        // Not as text: it would be taken apart into several addresses.
        to: { name: '', address: to },
        subject,
        text,
        html,
        messageId: `<${id}@${domain}>`,
        headers: { 'Auto-Submitted': 'auto-generated' },
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

/** Words for codes of Node and of the library. */
const words: Readonly<Record<string, string>> = {
  EAUTH: 'the server refuses the name or the password: see mailLogin',
  ENOAUTH: 'the server wants a name and a password: see mailLogin',
  ETLS: 'the server has no TLS, which mailTls requires',
  ECONNREFUSED: 'nothing answers there',
  ENOTFOUND: 'the name of the server is unknown',
  EDNS: 'the name of the server is unknown',
  ETIMEDOUT: 'the server did not answer in time',
};

interface Failure {
  code?: string;
  responseCode?: number;
  command?: string;
  /** The code of Node. */
  originalCode?: string;
}

/** What went wrong, without the server's own words: they name the recipient. */
function mailErrorOf(error: unknown): MailError {
  const { code = 'unknown', responseCode: status, originalCode = code } = error as Failure;
  const isAboutMail = code === 'EENVELOPE' || code === 'EMESSAGE';
  if (isAboutMail && status !== undefined && status >= 500)
    return new MailError('recipient', `the server refuses the mail with ${status}`);
  if (isAboutMail && status !== undefined)
    return new MailError('later', `the server takes the mail later: ${status}`);
  // Of certificates the code says it all, such as DEPTH_ZERO_SELF_SIGNED_CERT.
  const reason = words[originalCode] ?? words[code] ?? `failed with ${originalCode}`;
  return new MailError('server', status === undefined ? reason : `${reason} (${status})`);
}
