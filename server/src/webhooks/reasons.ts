/**
 * The reasons why an attempt got no response, described for the webhook's owner. This is a closed list,
 * because socket errors contain addresses in Palaver's own network.
 */
export const reasons = {
  notAllowed: 'not sent: the host is not allowed, or its address is not public',
  late: 'no response within 15 s',
  stopped: 'no response before Palaver was stopped',
  closed: 'the connection was closed without a response',
  refused: 'the connection was refused',
  unknownHost: 'the host name was not found',
  unreachable: 'the host could not be reached',
  insecure: 'the TLS connection failed: check the certificate',
  unreadable: 'the response was not valid HTTP',
  other: 'no response',
} as const;

export type Reason = keyof typeof reasons;

/** Thrown if there was no response, for one of these reasons. */
export class NoAnswer extends Error {
  readonly reason: Reason;
  constructor(reason: Reason) {
    super(reasons[reason]);
    this.reason = reason;
  }
}

/** Maps DNS, socket, TLS and HTTP error codes to reasons. */
const byCode: readonly [code: RegExp, reason: Reason][] = [
  [/^ECONNREFUSED$/, 'refused'],
  [/^(ECONNRESET|EPIPE|ECONNABORTED)$/, 'closed'],
  [/^(ENOTFOUND|ENODATA|EAI_\w+|ESERVFAIL|EFORMERR|EREFUSED|ETIMEOUT|EBADNAME|EBADRESP)$/, 'unknownHost'],
  [/^(ETIMEDOUT|E(HOST|NET)(UNREACH|DOWN)|EADDRNOTAVAIL)$/, 'unreachable'],
  [/^(EPROTO$|ERR_TLS_|ERR_SSL_|CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|HOSTNAME_MISMATCH$)/, 'insecure'],
  [/^HPE_/, 'unreadable'],
];

/** Maps the error of a failed attempt to a reason. */
export function reasonOf(error: unknown): Reason {
  if (error instanceof NoAnswer) return error.reason;
  const { code } = error as { code?: unknown };
  return (typeof code === 'string' && byCode.find(([codes]) => codes.test(code))?.[1]) || 'other';
}

/** Thrown if the webhook was deleted. */
export class WebhookGone extends Error {}
