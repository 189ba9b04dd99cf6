import { type Config, type SettingName, settings } from '../../config.ts';
import { withoutPassword } from '../../lib/url.ts';
import { command, json } from '../command.ts';

export const configCommand = command({
  usage: 'config',
  about: 'Print every setting with its value and its source',
  options: {
    '--redis <url>': settings.redis.about,
    '--port <n>': settings.port.about,
    '--host <address>': settings.host.about,
    '--metrics-port <n>': settings.metricsPort.about,
    ...json,
  },
  run({ config, sources }) {
    const record = (Object.keys(settings) as SettingName[]).map((name) => ({
      name,
      value: withoutSecrets(name, config),
      source: sources[name],
      flag: settings[name].flag ? `--${settings[name].flag}` : null,
      environment: settings[name].env,
      about: settings[name].about,
    }));
    const lines = record.flatMap(({ name, value, source, environment, about }) => [
      `${name} = ${JSON.stringify(value)}  (${source}; ${environment})`,
      `    ${about}`,
    ]);
    return { record, lines };
  },
});

/** The value of a setting, without passwords and keys. */
function withoutSecrets(name: SettingName, config: Config): unknown {
  const value = config[name];
  if (['secretKey', 'filesKey', 'mailLogin'].includes(name) && value) return '(set)';
  if (name === 'providers')
    return config.providers.map((one) => ({ ...one, clientSecret: one.clientSecret && '(set)' }));
  return (name === 'database' || name === 'redis') && value ? withoutPassword(String(value)) : value;
}
