import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import type { MailSettings } from '../../server/src/mail/settings.ts';
import { until } from './process.ts';

/** A received email, with its recipient. */
export interface Arrived {
  to: string;
  /** Header fields by lowercase name, unfolded. */
  headers: Record<string, string>;
  /** The whole email as it was sent. */
  raw: string;
  /** The decoded plain-text part. */
  text: string;
  html: string;
}

/** Rejects a command with this status. */
const refusal = (responseCode: number) => Object.assign(new Error('refused by the test'), { responseCode });

/** The login that the server accepts, if it requires one. */
export const LOGIN = 'palaver:a password, with : and @';

/** A real SMTP server on a local port. */
export class MailServer {
  readonly mails: Arrived[] = [];
  /** Statuses with which the next recipients are rejected. Further recipients are accepted. */
  readonly refusals: number[] = [];
  /** The number of recipients that were tried, including those rejected. */
  tried = 0;
  /** Called with each email before it is acknowledged. */
  onMail: () => Promise<void> | void = () => {};
  #server: SMTPServer;
  #port = 0;
  readonly #options: SMTPServerOptions;

  private constructor(options: SMTPServerOptions) {
    this.#options = options;
    this.#server = this.#make();
  }

  /** Opens a server, by default without TLS and without a login. */
  static async open(options: SMTPServerOptions = {}): Promise<MailServer> {
    const server = new MailServer({ disabledCommands: ['STARTTLS'], authOptional: true, ...options });
    await server.start();
    return server;
  }

  /** Settings with which Palaver sends emails through this server, with links that start with `address`. */
  settings(address: string): MailSettings {
    return {
      server: this.url,
      login: '',
      sender: { name: 'Palaver', address: 'palaver@example.com' },
      tls: 'off',
      hourly: 1000,
      address,
    };
  }

  #make(): SMTPServer {
    const server = new SMTPServer({
      logger: false,
      // Without this, the server would look up the host name of this machine and wait for the result.
      disableReverseLookup: true,
      onAuth: ({ username, password }, _session, callback) =>
        `${username}:${password}` === LOGIN
          ? callback(null, { user: username })
          : callback(refusal(535) as Error),
      onRcptTo: (_address, _session, callback) => {
        this.tried++;
        const status = this.refusals.shift();
        callback(status === undefined ? null : refusal(status));
      },
      onData: async (stream, { envelope }, callback) => {
        let raw = '';
        for await (const piece of stream.setEncoding('latin1')) raw += piece;
        for (const { address } of envelope.rcptTo) this.mails.push(arrived(address, raw));
        await this.onMail();
        callback();
      },
      ...this.#options,
    });
    // Ignores errors from a client that was killed, or that rejects the certificate.
    server.on('error', () => {});
    return server;
  }

  get url(): string {
    return `${this.#options.secure ? 'smtps' : 'smtp'}://localhost:${this.#port}`;
  }

  /** Listens: on a free port the first time, and on the same port after `stop`. */
  async start(): Promise<void> {
    const listening = this.#server.listen(this.#port, 'localhost');
    await once(listening, 'listening');
    this.#port = (listening.address() as AddressInfo).port;
  }

  async stop(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
    this.#server = this.#make();
  }

  /** Returns the email at index `after` among those to an address. Waits for it if necessary. */
  async mailTo(address: string, after = 0): Promise<Arrived> {
    const found = () => this.mails.filter(({ to }) => to === address).at(after);
    await until(() => found() !== undefined);
    return found() as Arrived;
  }
}

function arrived(to: string, raw: string): Arrived {
  const [head, body] = split(raw);
  const headers = fieldsOf(head);
  const boundary = /boundary="?([^";]+)"?/.exec(headers['content-type'] ?? '')?.[1];
  const parts = boundary === undefined ? [] : body.split(`--${boundary}`).slice(1, -1).map(partOf);
  const of = (type: string) => parts.find((part) => part.type.startsWith(type))?.content ?? '';
  return { to, headers, raw, text: of('text/plain'), html: of('text/html') };
}

function split(text: string): [head: string, body: string] {
  const at = text.indexOf('\r\n\r\n');
  return [text.slice(0, at), text.slice(at + 4)];
}

function fieldsOf(head: string): Record<string, string> {
  const lines = head.replace(/\r\n[ \t]+/g, ' ').split('\r\n');
  const fields = lines.map((line) => /^([^:]+):\s*(.*)$/.exec(line)).filter((found) => found !== null);
  return Object.fromEntries(fields.map(([, name = '', value = '']) => [name.toLowerCase(), value]));
}

function partOf(part: string): { type: string; content: string } {
  const [head, body] = split(part.trimStart());
  const { 'content-type': type = '', 'content-transfer-encoding': encoding = '7bit' } = fieldsOf(head);
  const bytes =
    encoding === 'base64'
      ? Buffer.from(body, 'base64')
      : Buffer.from(encoding === 'quoted-printable' ? unquoted(body) : body, 'latin1');
  return { type, content: bytes.toString('utf8') };
}

const unquoted = (text: string): string =>
  text
    .replace(/=\r\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));

export const tokenIn = ({ text }: Arrived): string => /#(link_plv_\w+)/.exec(text)?.[1] ?? '';
