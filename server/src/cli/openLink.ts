import { execFileSync, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** The program that opens a URL in the person's browser, and its arguments, by platform. */
const openers: Partial<Record<NodeJS.Platform, readonly string[]>> = {
  linux: ['xdg-open'],
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

/** Whether a browser can probably be opened on this machine. On Linux, this requires a display. */
const hasBrowser = (): boolean =>
  process.platform !== 'linux' || Boolean(process.env.DISPLAY || process.env.WAYLAND_DISPLAY);

/**
 * Whether the process runs in the foreground of its terminal. In the background, reading from it would stop
 * the process (SIGTTIN).
 */
function isInForeground(): boolean {
  if (process.platform === 'win32') return true;
  if (process.platform !== 'linux')
    return String(execFileSync('ps', ['-o', 'stat=', '-p', `${process.pid}`])).includes('+');
  // In proc_pid_stat(5), the name is followed by the state, the parent, the group, the session, the terminal
  // and its group.
  const fields = readFileSync('/proc/self/stat', 'utf8').split(') ').at(-1)?.split(' ') ?? [];
  return fields[2] === fields[5];
}

/** Whether to offer to open a link. True only on an interactive terminal in the foreground. */
const canOffer = (): boolean =>
  Boolean(process.stdin.isTTY && process.stdout.isTTY) && hasBrowser() && isInForeground();

/**
 * Opens a link in the browser once the person presses Enter. Returns the lines of the offer, or none without
 * an interactive terminal. The offer ends when a suspended process is resumed, because the process may then
 * be in the background.
 */
export function offerToOpen(link: string): string[] {
  const [program, ...args] = openers[process.platform] ?? [];
  if (program === undefined || !canOffer()) return [];
  const { stdin } = process;
  const end = () => {
    process.removeListener('SIGCONT', end);
    stdin.removeListener('data', open);
    stdin.destroy();
  };
  const open = () => {
    end();
    const failed = () => process.stdout.write("Couldn't open a browser. Open the link yourself.\n");
    const child = spawn(program, [...args, link], { stdio: 'ignore', detached: true });
    child.once('error', failed).once('exit', (code) => code && failed());
    child.unref();
  };
  // A terminal that disconnects must not stop the server.
  stdin.once('error', end).on('data', open).unref();
  if (process.platform !== 'win32') process.on('SIGCONT', end);
  return ['Press Enter to open it in your browser.', ''];
}
