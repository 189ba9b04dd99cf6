import assert from 'node:assert/strict';
import { cpuMs } from '../../server/src/lib/cpu.ts';

/** Blocking the event loop for longer than this, in ms of CPU time, delays other requests. */
export const MAX_BLOCK_MS = 20;
/** A slow run is repeated, because a garbage collection may have happened during it. */
const TRIES = 10;
/** On a slow machine, the event loop may be blocked for longer: this many times the CPU time of parsing JSON. */
const MAX_PARSES = 5;

/** Half a megabyte of JSON. */
const json = JSON.stringify(
  Array.from({ length: 9_000 }, (_, index) => ({
    id: index,
    name: `name ${index}`,
    texts: ['a \\ b', '\n'],
  })),
);

/** The least CPU time, in ms, of several runs. Stops at the first one that takes at most `enough` ms. */
async function leastMs(run: () => unknown, enough: number): Promise<number> {
  let ms = Number.POSITIVE_INFINITY;
  for (let time = 0; time < TRIES && ms > enough; time++) {
    const from = cpuMs();
    await run();
    ms = Math.min(ms, cpuMs() - from);
  }
  return ms;
}

/**
 * The least CPU time, in ms, of parsing half a megabyte of JSON: this shows how slow the machine is at the moment.
 */
const parseMs = async (): Promise<number> =>
  (await leastMs(() => Array.from({ length: 5 }, () => JSON.parse(json)), 0)) / 5;

/** The factor by which computations are slower on this machine now than on a typical one; at least 1. */
export const slowness = async (): Promise<number> =>
  Math.max(1, (MAX_PARSES * (await parseMs())) / MAX_BLOCK_MS);

/**
 * Asserts that `run` blocks the event loop for at most `MAX_BLOCK_MS` of CPU time. CPU time also grows while other
 * processes use the same core and its caches, so the limit for a slow run depends on how long parsing JSON takes at that
 * moment. Resolves with the CPU time in ms.
 */
export async function assertQuick(what: string, run: () => unknown): Promise<number> {
  const ms = await leastMs(run, MAX_BLOCK_MS);
  if (ms <= MAX_BLOCK_MS) return ms;
  const before = await slowness();
  const again = await leastMs(run, MAX_BLOCK_MS);
  const slow = Math.max(before, await slowness());
  assert.ok(again <= MAX_BLOCK_MS * slow, `${what}: ${again.toFixed(1)} ms, slowness ${slow.toFixed(1)}`);
  return again;
}
