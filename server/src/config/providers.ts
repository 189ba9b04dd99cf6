import { EXAMPLE, type ProviderSettings, providersFrom } from '../accounts/openid/settings.ts';
import { jsonFor } from '../lib/settings.ts';

/** The setting for the identity providers that people can sign in with. */
export const providerSettings = {
  providers: {
    env: 'PALAVER_PROVIDERS',
    default: [] as readonly ProviderSettings[],
    about: 'OpenID Connect providers: a JSON array of objects with id, name, issuer, clientId, clientSecret',
    parse: jsonFor(providersFrom, EXAMPLE),
  },
};

/** Throws an Error if there are providers but no public address to redirect people back to. */
export function requireAddress({
  providers,
  address,
}: {
  providers: readonly unknown[];
  address: string;
}): void {
  if (providers.length > 0 && address === '')
    throw new Error('providers requires the setting address, where people return after signing in');
}
