import { type Config, type SettingName, settings } from '../../config.ts';
import { withoutPassword } from '../../lib/url.ts';
import { command, json } from '../command.ts';

export const configCommand = command({
  usage: 'config',
  about: 'Print every setting, its value and where it came from',
  options: {
    '--redis <url>': settings.redis.about,
    '--port <n>': settings.port.about,
    '--host <address>': settings.host.about,
    ...json,
  },
  run({ config, sources }) {
    const record = (Object.keys(settings) as SettingName[]).map((name) => ({
      name,
      value: shown(name, config),
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

/** A setting's value, without passwords and keys. */
function shown(name: SettingName, config: Config): unknown {
  const value = config[name];
  if (name === 'secretKey' && value) return '(set)';
  return (name === 'database' || name === 'redis') && value ? withoutPassword(String(value)) : value;
}
