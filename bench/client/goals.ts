import { quick } from '../report.ts';

/** Messages of the channel that is scrolled, and those of an hour with 20 a second. */
export const SCROLLED = quick ? 10_000 : 100_000;
export const HOUR = quick ? 5_000 : 72_000;
/** The processor of the page is slowed down so much where a goal is for a modest machine. */
export const SLOW_CPU = 4;
export const ECHOES = quick ? 10 : 40;
/** Scripts in KB, the largest paint in s, input and echo in ms, scrolling in frames a second, memory in MB. */
export const GOAL = { script: 130, paint: 1.5, input: 50, frames: 55, memory: 150, echo: 100 };
