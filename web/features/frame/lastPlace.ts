import { base } from '../../api/base.ts';
// The last open server, and the last open channel in each server, stored in this browser.

import { keep, kept } from '../../ui/kept.ts';

const CHANNEL = 'palaver.channel.';
const SERVER = `palaver.server${base}`;

export const lastServer = (): string | undefined => kept(SERVER);
export const lastChannel = (serverId: string): string | undefined => kept(CHANNEL + serverId);

const STEPS = 'palaver.steps.';
const DONE = 'done';
export const areFirstStepsDone = (serverId: string): boolean => kept(STEPS + serverId) === DONE;
export const endFirstSteps = (serverId: string): void => keep(STEPS + serverId, DONE);

/** The onboarding steps that the user has opened in this browser. */
export const stepsTaken = (serverId: string): string[] => (kept(STEPS + serverId) ?? '').split(' ');
export const keepStep = (serverId: string, step: string): void =>
  keep(STEPS + serverId, [...new Set([...stepsTaken(serverId), step])].join(' ').trim());

const WELCOME = 'palaver.welcome.';
export const isWelcomed = (serverId: string): boolean => kept(WELCOME + serverId) === DONE;
export const endWelcome = (serverId: string): void => keep(WELCOME + serverId, DONE);

/** Saves the open server and channel. */
export function keepPlace(serverId: string, channelId?: string): void {
  keep(SERVER, serverId);
  if (channelId !== undefined) keep(CHANNEL + serverId, channelId);
}
