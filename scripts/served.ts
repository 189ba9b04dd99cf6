import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startNode } from '../server/src/node/node.ts';

/** The host in the generated output: a server on this machine with default settings. */
const HOST = 'localhost:8080';

/** Returns the text that a newly installed Palaver serves at `path`. */
export async function served(path: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'palaver-'));
  try {
    const node = await startNode({ data: { data: folder } });
    const { payload } = await node.app.inject({ url: path, headers: { host: HOST } });
    await node.close();
    return payload;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
