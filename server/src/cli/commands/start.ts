import { settings } from '../../config.ts';
import type { FirstRun } from '../../node/firstRun.ts';
import { command } from '../command.ts';
import { CommandError } from '../commandError.ts';

export const startCommand = command({
  usage: 'start',
  about: 'Start the server; the first start creates the data',
  options: {
    '--redis <url>': settings.redis.about,
    '--port <n>': settings.port.about,
    '--host <address>': settings.host.about,
    '--metrics-port <n>': settings.metricsPort.about,
    '--beside': 'Start although another process serves the same data folder',
  },
  async run({ config, sources, given }) {
    if (given.redis && config.database === '')
      throw new CommandError(
        '--redis is for several nodes on one PostgreSQL database: set DATABASE_URL or --database, or leave out --redis',
      );
    // Loaded on demand: the other commands start faster without the server.
    const { serve } = await import('../../node/serve.ts');
    const { url, first } = await serve(config, sources, given.beside ?? false);
    // Browsers treat localhost as a secure context, which passkeys require, but not 127.0.0.1.
    const here = url.replace('//127.0.0.1:', '//localhost:');
    const lines = [`Palaver is running at ${here}`, `Documentation: ${here}/docs`];
    if (!first) return { record: { url }, lines };
    const [{ urlOf }, { offerToOpen }] = await Promise.all([
      import('../../accounts/link.ts'),
      import('../openLink.ts'),
    ]);
    const link = urlOf(config.address || here, first.link);
    return { record: { url }, lines: [...lines, ...welcome(url, first, link), ...offerToOpen(link)] };
  },
});

const welcome = (url: string, { key, channelId }: FirstRun, link: string): string[] => [
  '',
  'Your API key. Copy it now; it is not shown again:',
  '',
  `  ${key}`,
  '',
  'Send your first message:',
  '',
  `  curl ${url}/api/v1/messages -H 'Authorization: Bearer ${key}' -H 'Content-Type: application/json' -d '{"channelId": "${channelId}", "content": "Hello, world"}'`,
  '',
  'Create your admin account with this link, valid for a week:',
  '',
  `  ${link}`,
  '',
];
