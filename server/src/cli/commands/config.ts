import { shownSettings } from '../../config/shown.ts';
import { settings } from '../../config.ts';
import { command, json } from '../command.ts';

export const configCommand = command({
  usage: 'config',
  about: 'Print all settings with their values and sources',
  options: {
    '--redis <url>': settings.redis.about,
    '--port <n>': settings.port.about,
    '--host <address>': settings.host.about,
    '--metrics-port <n>': settings.metricsPort.about,
    ...json,
  },
  run(loaded) {
    const record = shownSettings(loaded);
    const lines = record.flatMap(({ name, value, source, environment, about }) => [
      `${name} = ${JSON.stringify(value)}  (${source}; ${environment})`,
      `    ${about}`,
    ]);
    return { record, lines };
  },
});
