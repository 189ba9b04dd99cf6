import { settings } from '../../config.ts';
import type { FirstRun } from '../../node/firstRun.ts';
import { command } from '../command.ts';

export const startCommand = command({
  usage: 'start',
  about: 'Start the server; the first start makes the data',
  options: {
    '--redis <url>': settings.redis.about,
    '--port <n>': settings.port.about,
    '--host <address>': settings.host.about,
    '--metrics-port <n>': settings.metricsPort.about,
  },
  async run({ config }) {
    // Loaded on demand: the other commands start faster without the server.
    const { serve } = await import('../../node/serve.ts');
    const { url, first } = await serve(config);
    const lines = [`Palaver is running at ${url}`, `The API is described at ${url}/docs`];
    return { record: { url }, lines: first ? [...lines, ...welcome(url, first)] : lines };
  },
});

const welcome = (url: string, { key, channelId }: FirstRun): string[] => [
  '',
  'Your API key, shown this once:',
  '',
  `  ${key}`,
  '',
  'Send a first message:',
  '',
  `  curl ${url}/api/v1/messages -H 'Authorization: Bearer ${key}' -H 'Content-Type: application/json' -d '{"channelId": "${channelId}", "content": "Hello, world"}'`,
  '',
];
