import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  byUse,
  type Costs,
  MACHINES,
  type Placement,
  placements,
  type Shape,
  simulate,
  type Uses,
} from './model.ts';
import { keep } from './report.ts';

/** The target size, and the fractions of it to plan for. */
const TARGET: Shape = { servers: 100_000, streams: 1_000_000, sends: 50_000, pages: 50_000 };
const SHARES = [0.01, 0.03, 0.1, 0.3, 1];
const MAX_NODES = 4_096;
const MAX_DATABASES = 256;

interface Found {
  nodes: number;
  databases: number;
  uses: Uses;
}

const scaled = (share: number): Shape => ({
  servers: TARGET.servers * share,
  streams: TARGET.streams * share,
  sends: TARGET.sends * share,
  pages: TARGET.pages * share,
});

const isTooMuch = (uses: Uses) => Object.values(uses).some((use) => use > MACHINES.use);

/**
 * The fewest nodes that suffice with a given number of databases. If even MAX_NODES do not suffice, the limiting
 * resource.
 */
function fewestNodes(
  costs: Costs,
  shape: Shape,
  placement: Placement,
  databases: number,
): Found | { limit: keyof Uses } {
  const step = placement === 'cells' ? databases : 1;
  const found = (steps: number): Found => {
    const nodes = steps * step;
    return { nodes, databases, uses: simulate(costs, shape, { nodes, databases, placement }) };
  };
  let low = 1;
  let high = 1;
  let last = found(high);
  while (isTooMuch(last.uses)) {
    if (high * step >= MAX_NODES) return { limit: byUse(last.uses)[0] as keyof Uses };
    low = high + 1;
    high *= 2;
    last = found(high);
  }
  while (low < high) {
    const middle = (low + high) >> 1;
    const tried = found(middle);
    if (isTooMuch(tried.uses)) low = middle + 1;
    else [high, last] = [middle, tried];
  }
  return last;
}

/**
 * The fewest databases, and then the fewest nodes. `limits` lists the resources that limited smaller numbers of
 * databases.
 */
function plan(costs: Costs, shape: Shape, placement: Placement) {
  const limits: string[] = [];
  for (let databases = 1; databases <= MAX_DATABASES; databases *= 2) {
    const found = fewestNodes(costs, shape, placement, databases);
    if ('uses' in found) return { ...found, limits };
    limits.push(found.limit);
  }
  return { limits };
}

const percent = (share: number) => `${Math.round(share * 100)} %`;

/**
 * Prints and saves how many nodes and databases installations of growing size need, and which resources limit them.
 */
export function runSimulation(): void {
  const costs: Costs = JSON.parse(readFileSync(join(import.meta.dirname, 'costs.json'), 'utf8'));
  const lines = [
    `A model based on [costs](costs.json) measured on one machine. No resource's utilization exceeds ${percent(MACHINES.use)}. A database has ${MACHINES.databaseCores} cores; a node and a Valkey instance have one each.`,
    '',
    '| Servers, streams, messages a second | Placement | Databases | Nodes | Highest utilization | Bottleneck with half the databases |',
    '|---|---|---|---|---|---|',
  ];
  for (const share of SHARES) {
    const shape = scaled(share);
    const size = [shape.servers, shape.streams, shape.sends]
      .map((each) => each.toLocaleString('en'))
      .join(', ');
    for (const placement of placements) {
      const found = plan(costs, shape, placement);
      const cells =
        'uses' in found
          ? [
              found.databases,
              found.nodes,
              byUse(found.uses)
                .slice(0, 2)
                .map((name) => `${name} ${percent(found.uses[name])}`)
                .join(', '),
            ]
          : [`more than ${MAX_DATABASES}`, '–', '–'];
      lines.push(`| ${[size, placement, ...cells, found.limits.at(-1) ?? '–'].join(' | ')} |`);
    }
  }
  keep('Simulation of large installations', lines);
}
