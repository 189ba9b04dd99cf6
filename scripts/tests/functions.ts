import type { Profiler } from 'node:inspector';
import { Session } from 'node:inspector/promises';
import { pathToFileURL } from 'node:url';

/** The functions of each loaded module, by URL: all except those inside functions that have not run. */
const known = new Map<string, Profiler.FunctionCoverage[]>();
let session: Session | undefined;

/**
 * The name of the innermost named function at an offset of a module, as V8 names it; undefined at the top level. Loads
 * the module. Node strips types by replacing them with spaces, so offsets are those of the source.
 */
export async function functionAt(path: string, offset: number): Promise<string | undefined> {
  const { href } = pathToFileURL(path);
  if (!known.has(href)) await load(href);
  const around = (known.get(href) ?? []).filter(
    ({ functionName, ranges: [range] }) =>
      functionName !== '' && range && range.startOffset <= offset && offset < range.endOffset,
  );
  return around.sort((one, other) => sizeOf(one) - sizeOf(other))[0]?.functionName;
}

const sizeOf = ({ ranges: [range] }: Profiler.FunctionCoverage): number =>
  range ? range.endOffset - range.startOffset : 0;

async function load(href: string): Promise<void> {
  if (session === undefined) {
    session = new Session();
    session.connect();
    await session.post('Profiler.enable');
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  }
  await import(href);
  const { result } = await session.post('Profiler.takePreciseCoverage');
  // V8 lists the functions of a module only after it has run.
  for (const { url, functions } of result) if (!known.has(url)) known.set(url, functions);
}
