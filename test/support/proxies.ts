import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { gone, until } from './process.ts';
import { freePort } from './valkeyServer.ts';

/** A proxy started for this test in front of nodes on 127.0.0.1. */
export interface ProxyServer {
  readonly url: string;
  /** The output of the proxy so far. */
  log(): string;
  close(): Promise<void>;
}

/** A kind of proxy: its program, and how to start it on a port with its configuration in its own folder. */
interface Kind {
  program: string;
  /** The file in deploy/. */
  file: string;
  /** The line in the file that sets the proxy's address, and the replacement for a port on 127.0.0.1. */
  listens: [line: string, here: (port: number) => string];
  /** The arguments that run the proxy until it is killed, with the configuration `file` in `folder`. */
  args(folder: string, file: string): string[];
}

const kinds = {
  haproxy: {
    program: 'haproxy',
    file: 'haproxy.cfg',
    listens: ['bind :80', (port) => `bind 127.0.0.1:${port}`],
    args: (_folder, file) => ['-db', '-f', file],
  },
  nginx: {
    program: 'nginx',
    file: 'nginx.conf',
    listens: ['listen 80;', (port) => `listen 127.0.0.1:${port};`],
    args(folder, file) {
      const main = join(folder, 'main.conf');
      const kept = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
      const places = kept.map((name) => `${name}_temp_path ${join(folder, name)};`).join(' ');
      writeFileSync(
        main,
        `daemon off; master_process off; pid ${join(folder, 'pid')}; error_log stderr warn;
events {} http { access_log off; ${places} include ${file}; }`,
      );
      return ['-p', folder, '-e', 'stderr', '-c', main];
    },
  },
  Caddy: {
    program: 'caddy',
    file: 'Caddyfile',
    listens: ['{$PALAVER_SITE::80} {', (port) => `{\n\tadmin off\n}\nhttp://127.0.0.1:${port} {`],
    args: (_folder, file) => ['run', '--adapter', 'caddyfile', '--config', file],
  },
} satisfies Record<string, Kind>;

export type ProxyName = keyof typeof kinds;
export const proxyNames = Object.keys(kinds) as ProxyName[];

/** The reason to skip tests with a proxy; false if its program is installed. */
export const skipProxy = (name: ProxyName): string | false => !programOf(name) && `no ${name} here`;

function programOf(name: ProxyName): string | undefined {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin'];
  return folders.map((folder) => join(folder, kinds[name].program)).find((program) => existsSync(program));
}

/**
 * Starts a proxy in front of nodes, and waits until it forwards requests. `sample` returns the configuration
 * for a port; without it, the one in deploy/ is used, which requires two nodes. `under` is the path that is
 * forwarded. Throws if the proxy does not start.
 */
export async function startProxy(
  name: ProxyName,
  nodes: readonly { url: string }[],
  sample?: (port: number) => string,
  { port: given, under = '' }: { port?: number; under?: string } = {},
): Promise<ProxyServer> {
  const kind: Kind = kinds[name];
  const folder = mkdtempSync(join(tmpdir(), 'palaver-proxy-'));
  const port = given ?? (await freePort());
  const file = join(folder, kind.file);
  writeFileSync(file, sample?.(port) ?? configOf(kind, nodes, port));
  const child = spawn(programOf(name) as string, kind.args(folder, file), {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder },
  });
  const log = collect(child);
  const killAtExit = () => child.kill('SIGKILL');
  process.once('exit', killAtExit);
  const close = async () => {
    child.kill('SIGKILL');
    await gone(child);
    process.removeListener('exit', killAtExit);
    rmSync(folder, { recursive: true, force: true });
  };
  const url = `http://127.0.0.1:${port}`;
  try {
    await until(() => {
      if (child.exitCode !== null) throw new Error(`${name} ended: ${log()}`);
      return fetch(`${url}${under}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      );
    }, 60_000);
  } catch (error) {
    await close();
    throw error;
  }
  return { url, log, close };
}

/** The configuration in deploy/ with these addresses. Throws if the lines to replace are missing. */
function configOf({ file, listens: [line, here] }: Kind, nodes: readonly { url: string }[], port: number) {
  const text = readFileSync(join(import.meta.dirname, '..', '..', 'deploy', file), 'utf8');
  const replace = (config: string, [from, to]: readonly [string, string]): string => {
    if (!config.includes(from)) throw new Error(`${file} has no ${from}`);
    return config.replaceAll(from, to);
  };
  const places = nodes.map(({ url }, index) => [`palaver${index + 1}:8080`, new URL(url).host] as const);
  // Debian's Caddy is 2.6, which does not support this option.
  const known = text.replace(/^\s*request_buffers .*\n/m, '');
  return [[line, here(port)] as const, ...places].reduce(replace, known);
}

function collect(child: ChildProcess): () => string {
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (piece) => {
      text += piece;
    });
  }
  return () => text;
}
