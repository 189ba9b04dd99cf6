import { type Config, type LoadedConfig, type SettingName, settings } from '../config.ts';
import { withoutPassword } from '../lib/url.ts';

/** A setting with its value and source, for display. Passwords and keys are masked. */
interface ShownSetting {
  name: SettingName;
  value: unknown;
  source: LoadedConfig['sources'][SettingName];
  flag: string | null;
  environment: string;
  about: string;
}

/** Returns all settings, in the order in which they are declared. */
export const shownSettings = ({
  config,
  sources,
}: Pick<LoadedConfig, 'config' | 'sources'>): ShownSetting[] =>
  (Object.keys(settings) as SettingName[]).map((name) => ({
    name,
    value: withoutSecrets(name, config),
    source: sources[name],
    flag: settings[name].flag ? `--${settings[name].flag}` : null,
    environment: settings[name].env,
    about: settings[name].about,
  }));

function withoutSecrets(name: SettingName, config: Config): unknown {
  const value = config[name];
  if (['secretKey', 'filesKey', 'mailLogin'].includes(name) && value) return '(set)';
  if (name === 'providers')
    return config.providers.map((one) => ({ ...one, clientSecret: one.clientSecret && '(set)' }));
  return (name === 'database' || name === 'redis') && value ? withoutPassword(String(value)) : value;
}
