// The channel that was open last in each server, and the server: kept for this browser, to come back to.

const CHANNEL = 'palaver.channel.';
const SERVER = 'palaver.server';

function read(name: string): string | undefined {
  try {
    return localStorage.getItem(name) ?? undefined;
  } catch {
    // A browser may keep nothing, in private windows for instance.
    return undefined;
  }
}

function write(name: string, value: string): void {
  try {
    localStorage.setItem(name, value);
  } catch {
    // Then the client opens at the first channel.
  }
}

export const lastServer = (): string | undefined => read(SERVER);
export const lastChannel = (serverId: string): string | undefined => read(CHANNEL + serverId);

const STEPS = 'palaver.steps.';
const DONE = 'done';
export const areFirstStepsDone = (serverId: string): boolean => read(STEPS + serverId) === DONE;
export const endFirstSteps = (serverId: string): void => write(STEPS + serverId, DONE);

/** The first steps that were taken in this browser. */
export const stepsTaken = (serverId: string): string[] => (read(STEPS + serverId) ?? '').split(' ');
export const keepStep = (serverId: string, step: string): void =>
  write(STEPS + serverId, [...new Set([...stepsTaken(serverId), step])].join(' ').trim());

const WELCOME = 'palaver.welcome.';
export const isWelcomed = (serverId: string): boolean => read(WELCOME + serverId) === DONE;
export const endWelcome = (serverId: string): void => write(WELCOME + serverId, DONE);

/** Keeps the place that is open. */
export function keepPlace(serverId: string, channelId?: string): void {
  write(SERVER, serverId);
  if (channelId !== undefined) write(CHANNEL + serverId, channelId);
}
