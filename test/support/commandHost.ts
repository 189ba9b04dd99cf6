// A process that runs commands one after another. Each command executes `main.ts` again; all other modules are loaded
// only once. Started by `commands.ts`.

/** A command to run, with its complete environment. */
export interface Order {
  args: readonly string[];
  environment: Record<string, string>;
}

/** Has the same fields as `Outcome`. */
export interface Ran {
  code: number;
  stdout: string;
  stderr: string;
}

const main = new URL('../../server/src/main.ts', import.meta.url).href;
const [node, script] = process.argv as [string, string];
let number = 0;

/** Collects everything written to a stream. */
function collect(stream: NodeJS.WriteStream): () => string {
  const { write } = stream;
  let text = '';
  stream.write = ((piece: string | Uint8Array, ...rest: unknown[]) => {
    text += typeof piece === 'string' ? piece : Buffer.from(piece).toString();
    const done = rest.at(-1);
    if (typeof done === 'function') process.nextTick(done as () => void);
    return true;
  }) as typeof stream.write;
  return () => {
    stream.write = write;
    return text;
  };
}

async function run({ args, environment }: Order): Promise<Ran> {
  for (const name of Object.keys(process.env)) if (!(name in environment)) delete process.env[name];
  Object.assign(process.env, environment);
  process.argv = [node, script, ...args];
  process.exitCode = undefined;
  const [stdout, stderr] = [collect(process.stdout), collect(process.stderr)];
  try {
    // A different URL makes `main.ts` a different module, so it runs again, with the same dependencies.
    await import(`${main}?command=${++number}`);
  } finally {
    process.exitCode ??= 0;
  }
  const ran = { code: Number(process.exitCode), stdout: stdout(), stderr: stderr() };
  process.exitCode = 0;
  return ran;
}

/** Set by the test run. It records which files each command used. */
const { testWatch } = globalThis as { testWatch?: { write(): void } };

process.on('message', async (order: Order) => {
  const ran = await run(order);
  testWatch?.write();
  process.send?.(ran);
});
