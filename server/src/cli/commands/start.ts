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
    '--beside': 'Start even if another process serves the same data folder',
    '--demo': 'Run a demo with people, messages and a bot; its data is deleted when it stops',
  },
  async run({ config, sources, given }) {
    if (given.demo && (given.redis || sources.data === 'flag' || sources.database === 'flag'))
      throw new CommandError('--demo uses its own data: omit --data, --database and --redis');
    if (given.redis && config.database === '')
      throw new CommandError(
        '--redis is for several nodes on one PostgreSQL database: set DATABASE_URL or --database, or omit --redis',
      );
    // The server is loaded on demand, so that the other commands start faster.
    const { serve } = await import('../../node/serve.ts');
    const demo = given.demo ? await import('../demo/index.ts') : undefined;
    const served = await serve(demo?.demoConfig(config) ?? config, sources, given.beside ?? false);
    await demo?.openDemo(served);
    const { url, first } = served;
    // Browsers support passkeys at http://localhost, but not at an IP address such as 127.0.0.1.
    const here = url.replace('//127.0.0.1:', '//localhost:');
    const lines = [`Palaver is running at ${here}`, `Documentation: ${here}/docs`];
    if (!first) return { record: { url }, lines };
    const [{ urlOf }, { offerToOpen }] = await Promise.all([
      import('../../accounts/link.ts'),
      import('../openLink.ts'),
    ]);
    const link = urlOf(config.address || here, first.link);
    const words = demo ? demoWelcome(link) : welcome(url, first, link);
    return { record: { url }, lines: [...lines, ...words, ...offerToOpen(link)] };
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

const demoWelcome = (link: string): string[] => [
  '',
  'This is a demo. Everything in it is deleted when you stop it with Ctrl+C.',
  '',
  'Choose a password with this link, and look around:',
  '',
  `  ${link}`,
  '',
];
