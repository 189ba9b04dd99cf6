/**
 * A provider did not respond, or its response is unusable. The message is shown to the person and the
 * operator.
 */
export class ProviderError extends Error {
  /**
   * `unavailable` means that the provider is unreachable or rejects our client; `refused`, that this sign-in
   * failed but another one may succeed.
   */
  readonly kind: 'unavailable' | 'refused';

  constructor(kind: ProviderError['kind'], message: string) {
    super(message);
    this.kind = kind;
  }
}

interface Failure {
  code?: unknown;
  error?: unknown;
  name?: string;
  cause?: { code?: unknown; message?: unknown };
}

/**
 * Returns an OAuth error code if it is a plain word. Anything else from the provider is not shown, because it
 * could contain arbitrary text.
 */
const wordIn = (value: unknown): string =>
  typeof value === 'string' && /^[a-zA-Z0-9_]{1,60}$/.test(value) ? value : 'an error';

/** Error codes from the token endpoint that mean our settings are wrong (RFC 6749, 5.2). */
const ours = ['invalid_client', 'unauthorized_client', 'unsupported_grant_type', 'invalid_scope'];

/** Error codes from openid-client for a server that is down or is not an OpenID provider. */
const noAnswers = [
  'OAUTH_TIMEOUT',
  'OAUTH_ABORT',
  'OAUTH_RESPONSE_IS_NOT_CONFORM',
  'OAUTH_RESPONSE_IS_NOT_JSON',
  'OAUTH_PARSE_ERROR',
  'OAUTH_HTTP_REQUEST_FORBIDDEN',
  'OAUTH_REQUEST_PROTOCOL_FORBIDDEN',
];

/** Converts an error from openid-client or `fetch` to one whose message contains no tokens. */
export function providerError(name: string, error: unknown): ProviderError {
  if (error instanceof ProviderError) return error;
  const { code, error: word, name: kind, cause } = error as Failure;
  if (code === 'OAUTH_AUTHORIZATION_RESPONSE_ERROR')
    return new ProviderError('refused', `${name} did not sign you in: ${wordIn(word)}`);
  if (code === 'OAUTH_RESPONSE_BODY_ERROR') {
    const isOurs = ours.includes(String(word));
    return isOurs
      ? new ProviderError('unavailable', `${name} does not accept this server: ${wordIn(word)}`)
      : new ProviderError('refused', `${name} refused this sign-in, which may have expired: ${wordIn(word)}`);
  }
  const isSilent = noAnswers.includes(String(code)) || kind === 'TimeoutError' || kind === 'AbortError';
  if (isSilent || (kind === 'TypeError' && cause !== undefined && code === undefined))
    return new ProviderError(
      'unavailable',
      `${name} does not respond (${wordIn(cause?.code ?? code ?? kind)})`,
    );
  return new ProviderError('refused', `the response of ${name} is not valid (${wordIn(code)})`);
}
