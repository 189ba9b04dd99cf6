import { quick } from '../report.ts';

/** The number of messages in the channel that is scrolled. */
export const SCROLLED = quick ? 10_000 : 100_000;
/** The number of messages in an hour at 20 per second. */
export const HOUR = quick ? 5_000 : 72_000;
/** The CPU throttling factor for goals on a modest machine. */
export const SLOW_CPU = 4;
export const ECHOES = quick ? 10 : 40;
/**
 * Scripts in KB, largest contentful paint in s, input and echo in ms, scrolling in frames per second, memory in MB.
 */
export const GOAL = { script: 130, paint: 1.5, input: 50, frames: 55, memory: 150, echo: 100 };
