import { jsonFor } from '../lib/settings.ts';
import { EXAMPLE, type ProviderSettings, providersFrom } from '../providers/settings.ts';

/** The setting of the identity providers that people sign in with. */
export const providerSettings = {
  providers: {
    env: 'PALAVER_PROVIDERS',
    default: [] as readonly ProviderSettings[],
    about:
      'Providers with which people sign in (OpenID Connect): JSON, a list of objects with id, name, issuer, clientId, clientSecret',
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
    throw new Error('providers needs the setting address: people come back to it');
}
