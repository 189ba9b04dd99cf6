import type { Configuration, ServerMetadata } from 'openid-client';
import { ProviderError, providerError } from './errors.ts';
import { fetchBounded } from './fetch.ts';
import { isLocalIssuer, type ProviderSettings } from './settings.ts';

/** Timeout of each request to a provider, in seconds. */
const TIMEOUT_SECONDS = 10;
/** Tolerated clock skew. */
const SKEW_SECONDS = 60;
/**
 * Maximum time between authentication at the provider and the browser's return. The provider may ask for
 * consent in the meantime.
 */
const MAX_PROOF_AGE_SECONDS = 300;
/** TTL of the provider's cached metadata. */
const KEPT_MS = 10 * 60_000;
/** Matches the id of an account: at most 255 ASCII characters (OpenID Connect Core 1.0, 2). */
const SUBJECT = /^[\u0020-\u007e]{1,255}$/;

/** Values for verifying the provider's response. */
export interface Checks {
  verifier: string;
  nonce: string;
  /** Whether the provider was asked to authenticate the person again. */
  isProof: boolean;
}

/**
 * A person's identity at the provider. Together, `issuer` and `account` identify the person permanently
 * (OpenID Connect Core 1.0, 5.7).
 */
export interface Claimed {
  issuer: string;
  account: string;
  /**
   * When the provider authenticated the person, in milliseconds since the Unix epoch; 0 if unknown. A
   * provider with an active session responds without authenticating anyone, which does not prove the person's
   * identity.
   */
  authenticatedAt: number;
  /** Suggested names for a new account; undefined if the provider sends none. */
  username: string | undefined;
  name: string | undefined;
}

/**
 * A client of one provider, using the authorization code flow with PKCE. Loads openid-client on first use.
 */
export class Provider {
  readonly settings: ProviderSettings;
  readonly #redirectUri: string;
  #known: { metadata: Promise<ServerMetadata>; until: number } | undefined;

  /** `origin` is the public address of this server. */
  constructor(settings: ProviderSettings, origin: string) {
    this.settings = settings;
    this.#redirectUri = `${origin}/sign-in/${settings.id}`;
  }

  /**
   * Starts a sign-in. With `isProof`, the provider has to authenticate the person again (OpenID Connect Core
   * 1.0, 3.1.2.1, `max_age`). Returns the URL at the provider for the browser to open. Throws ProviderError.
   */
  async begin(state: string, isProof = false): Promise<Checks & { url: string }> {
    const library = await import('openid-client');
    try {
      const configuration = await this.#configuration();
      const verifier = library.randomPKCECodeVerifier();
      const nonce = library.randomNonce();
      const url = library.buildAuthorizationUrl(configuration, {
        redirect_uri: this.#redirectUri,
        scope: this.settings.scopes,
        state,
        nonce,
        code_challenge: await library.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        ...(isProof && { max_age: '0' }),
      });
      if (url.protocol !== 'https:' && !isLocalIssuer(this.settings.issuer))
        throw new ProviderError('unavailable', `${this.settings.name} has sign-in URLs without https`);
      return { url: url.href, verifier, nonce, isProof };
    } catch (error) {
      throw providerError(this.settings.name, error);
    }
  }

  /**
   * Verifies the query string of the provider's redirect, and fetches the identity. Does not keep any of the
   * provider's tokens. Throws ProviderError.
   */
  async finish(query: string, state: string, { verifier, nonce, isProof }: Checks): Promise<Claimed> {
    const library = await import('openid-client');
    try {
      const configuration = await this.#configuration();
      const tokens = await library.authorizationCodeGrant(
        configuration,
        new URL(`${this.#redirectUri}?${query.replace(/^\?/, '')}`),
        {
          pkceCodeVerifier: verifier,
          expectedState: state,
          expectedNonce: nonce,
          idTokenExpected: true,
          ...(isProof && { maxAge: MAX_PROOF_AGE_SECONDS }),
        },
      );
      const claims = tokens.claims();
      if (!claims || !SUBJECT.test(claims.sub))
        throw new ProviderError('refused', `${this.settings.name} did not identify you`);
      // This is checked here, because openid-client does not compare `iat` with the clock.
      if (claims.iat > Date.now() / 1000 + SKEW_SECONDS)
        throw new ProviderError(
          'refused',
          `${this.settings.name} sent a token that was issued in the future`,
        );
      const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined);
      return {
        issuer: this.settings.issuer,
        account: claims.sub,
        authenticatedAt: Math.min(claims.auth_time ?? 0, claims.iat) * 1000,
        username: text(claims.preferred_username) ?? text(claims.email) ?? text(claims.name),
        name: text(claims.name),
      };
    } catch (error) {
      throw providerError(this.settings.name, error);
    }
  }

  /** Checks that the provider's metadata can be fetched. Throws ProviderError. */
  async verify(): Promise<void> {
    await this.#configuration().catch((error) => {
      throw providerError(this.settings.name, error);
    });
  }

  /**
   * Creates a new configuration for each use. Signing keys are therefore fetched again, and the provider can
   * rotate them at any time.
   */
  async #configuration(): Promise<Configuration> {
    const library = await import('openid-client');
    const metadata = await this.#metadata();
    const { clientId, clientSecret, issuer } = this.settings;
    const methods = metadata.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    const authentication =
      clientSecret === ''
        ? library.None()
        : methods.includes('client_secret_basic')
          ? library.ClientSecretBasic(clientSecret)
          : library.ClientSecretPost(clientSecret);
    const client = { [library.clockTolerance]: SKEW_SECONDS };
    const configuration = new library.Configuration(metadata, clientId, client, authentication);
    configuration.timeout = TIMEOUT_SECONDS;
    configuration[library.customFetch] = fetchBounded;
    // Verifies the ID token's signature in addition to TLS. It must be signed with one of the provider's
    // keys.
    library.enableNonRepudiationChecks(configuration);
    if (isLocalIssuer(issuer)) library.allowInsecureRequests(configuration);
    return configuration;
  }

  /** Returns the provider's metadata, cached. Concurrent callers share one request, including its failure. */
  #metadata(): Promise<ServerMetadata> {
    if (this.#known && performance.now() < this.#known.until) return this.#known.metadata;
    const known = { metadata: this.#discover(), until: performance.now() + KEPT_MS };
    this.#known = known;
    known.metadata.catch(() => {
      if (this.#known === known) this.#known = undefined;
    });
    return known.metadata;
  }

  async #discover(): Promise<ServerMetadata> {
    const library = await import('openid-client');
    const { issuer, clientId } = this.settings;
    const found = await library.discovery(new URL(issuer), clientId, undefined, library.None(), {
      [library.customFetch]: fetchBounded,
      timeout: TIMEOUT_SECONDS,
      execute: isLocalIssuer(issuer) ? [library.allowInsecureRequests] : [],
    });
    const metadata = found.serverMetadata();
    if (!metadata.authorization_endpoint || !metadata.token_endpoint || !metadata.jwks_uri)
      throw new ProviderError('unavailable', `${this.settings.name} lacks an endpoint that sign-ins need`);
    return metadata;
  }
}
