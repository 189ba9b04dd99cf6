/** A cost in microseconds of CPU, for each program. */
export interface Cost {
  node: number;
  database: number;
  valkey: number;
}

/** The costs measured by `npm run bench -- --costs`. */
export interface Costs {
  /** A sent message, without its transaction. */
  send: Cost;
  /** A transaction with any number of sends. */
  transaction: Cost;
  /** Reading a page of 50 messages. */
  page: Cost;
  /** Following a message on another node that has a stream for the server. */
  follow: Cost;
  /** An event written to a stream. */
  delivery: Cost;
  /** An idle stream, per second. */
  idleStream: Cost;
  /** Memory that a node needs per stream, in bytes. */
  streamBytes: number;
  /**
   * Milliseconds from the start of a transaction to the end of its commit. Other writes wait in the meantime, and share
   * the next transaction.
   */
  commitMs: number;
}

/** The size of an installation: totals, and rates per second. */
export interface Shape {
  servers: number;
  streams: number;
  sends: number;
  pages: number;
}

/**
 * - `spread`: any stream and request may be on any node, and any node uses any database.
 * - `near`: a server's streams and requests are on one node, or as few as can hold them; any node uses any database.
 * - `cells`: each database has its own nodes and Valkey, and whole servers; within a cell everything is spread.
 */
export const placements = ['spread', 'near', 'cells'] as const;
export type Placement = (typeof placements)[number];

export interface Plan {
  nodes: number;
  databases: number;
  placement: Placement;
}

/** Assumptions about machines. */
export const MACHINES = {
  /** The maximum utilization of any resource. */
  use: 0.6,
  /** The number of cores of a PostgreSQL machine. Nodes and Valkey servers use one core each. */
  databaseCores: 32,
  nodeBytes: 4 * 2 ** 30,
  /**
   * The minimum number of connections from a node to each database it uses, and the maximum number of connections to
   * a PostgreSQL server.
   */
  leastConnections: 2,
  databaseConnections: 1_000,
};

/**
 * Assumptions about people: the number of streams in the n-th largest server is proportional to n^-0.7 and its number
 * of messages to n^-0.35, so a server with four times the people has twice the messages.
 */
const STREAMS_EXPONENT = 0.7;
const SENDS_EXPONENT = 0.35;

/** The maximum number of writes per transaction (`db/postgres/`). */
const WORKS_IN_TRANSACTION = 128;

/** The highest utilization of each resource. `simulate.ts` rejects plans with a value above `MACHINES.use`. */
export type Uses = Record<
  'node CPU' | 'node memory' | 'database CPU' | 'connections' | 'Valkey' | 'one server',
  number
>;

/** The keys of `uses`, the most utilized resource first. */
export const byUse = (uses: Uses): (keyof Uses)[] =>
  (Object.keys(uses) as (keyof Uses)[]).sort((a, b) => uses[b] - uses[a]);

/** A seeded random number generator (mulberry32), so simulations are reproducible. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

const power = (amount: number, exponent: number, total: number): Float64Array => {
  const shares = Float64Array.from({ length: amount }, (_, index) => (index + 1) ** -exponent);
  const sum = shares.reduce((a, b) => a + b, 0);
  return shares.map((share) => (share / sum) * total);
};

const add = (to: Float64Array, index: number, amount: number): void => {
  to[index] = (to[index] as number) + amount;
};

/** Assigns every server in a shape to its database and nodes, and adds up their load. */
export function simulate(costs: Costs, shape: Shape, { nodes, databases, placement }: Plan): Uses {
  const draw = random(1);
  const at = (amount: number) => Math.floor(draw() * amount);
  const streams = power(shape.servers, STREAMS_EXPONENT, shape.streams);
  const sends = power(shape.servers, SENDS_EXPONENT, shape.sends);
  // In cells, only some of the nodes use a given database and follow its messages.
  const around = placement === 'cells' ? nodes / databases : nodes;
  const streamsPerNode = shape.streams / nodes;
  const onNode = new Float64Array(nodes);
  const onDatabase = new Float64Array(databases);
  const onValkey = new Float64Array(databases);
  const streamsOn = new Float64Array(nodes);
  const commit = costs.commitMs / 1_000;
  let slowest = 0;

  for (let server = 0; server < shape.servers; server++) {
    const [viewers, rate] = [streams[server] as number, sends[server] as number];
    const pages = (rate / shape.sends) * shape.pages;
    // Messages for one database that arrive at one node during a commit share the next commit.
    const sharing = placement === 'near' ? rate : shape.sends / databases / around;
    const perTransaction = Math.max(1, sharing * commit);
    const near = Math.max(1, Math.round(viewers / streamsPerNode));
    const holding = placement === 'near' ? near : around * (1 - (1 - 1 / around) ** viewers);
    const following = holding - 1 / around;
    const bear = (on: keyof Cost) =>
      rate *
        (costs.send[on] +
          costs.transaction[on] / perTransaction +
          Math.max(0, following) * costs.follow[on]) +
      pages * costs.page[on];
    const database = at(databases);
    add(onDatabase, database, bear('database'));
    add(onValkey, database, bear('valkey'));
    const work = bear('node') + rate * viewers * costs.delivery.node + viewers * costs.idleStream.node;
    const first = placement === 'cells' ? Math.floor(database * around) : at(nodes);
    const parts = placement === 'near' ? near : Math.max(1, Math.floor(around));
    for (let part = 0; part < parts; part++) {
      const node = (first + part) % nodes;
      add(onNode, node, work / parts);
      add(streamsOn, node, viewers / parts);
    }
    // A server's transactions are serial. Each includes all messages that arrived during the previous one.
    slowest = Math.max(slowest, (rate * commit) / WORKS_IN_TRANSACTION);
  }
  const busy = ((shape.sends / databases / around) * commit) / WORKS_IN_TRANSACTION / MACHINES.use;
  const most = (values: Float64Array) => values.reduce((a, b) => Math.max(a, b), 0);
  return {
    'node CPU': most(onNode) / 1e6,
    'node memory': (most(streamsOn) * costs.streamBytes) / MACHINES.nodeBytes,
    'database CPU': most(onDatabase) / 1e6 / MACHINES.databaseCores,
    connections: (around * Math.max(MACHINES.leastConnections, busy)) / MACHINES.databaseConnections,
    Valkey: most(onValkey) / 1e6,
    'one server': slowest,
  };
}
