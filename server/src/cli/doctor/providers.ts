import { Providers } from '../../accounts/openid/providers.ts';
import type { ProviderSettings } from '../../accounts/openid/settings.ts';
import { attempt, type Finding } from './finding.ts';

/**
 * Queries each identity provider's metadata. Whether this server is registered with the provider only becomes
 * apparent at the first sign-in.
 */
export const examineProviders = (
  settings: readonly ProviderSettings[],
  address: string,
): Promise<Finding[]> =>
  Promise.all(
    new Providers(settings, address).all.map((provider) =>
      attempt(`provider ${provider.settings.id}`, async () => {
        await provider.verify();
        return `${provider.settings.issuer} responds; its redirect URI must be ${address}/sign-in/${provider.settings.id}`;
      }),
    ),
  );
