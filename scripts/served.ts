import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildApp } from '../server/src/app.ts';
import { openData } from '../server/src/cli/data.ts';
import { limitsFrom } from '../server/src/limits/table.ts';

/** What a new Palaver serves at `path`. */
export async function served(path: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'palaver-'));
  try {
    const data = await openData({ data: folder, secretKey: '' });
    const app = await buildApp({ ...data, limits: limitsFrom({}) });
    const { payload } = await app.inject(path);
    await app.close();
    await data.db.close();
    return payload;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
