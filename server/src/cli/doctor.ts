import type { LoadedConfig } from '../config.ts';
import type { Finding } from './doctor/finding.ts';

/** `palaver doctor`: whether the data, the settings and the versions are as they should be. Changes nothing. */
export async function examine({ config, file }: LoadedConfig): Promise<Finding[]> {
  const findings = [
    {
      check: 'program',
      ok: true,
      message: `Node ${process.versions.node}, SQLite ${process.versions.sqlite ?? 'unknown'}`,
    },
    { check: 'settings', ok: true, message: file ? `valid, with ${file}` : 'valid, without a config file' },
  ];
  // Each is loaded where it is needed: the other commands are quicker without them.
  if (config.database) {
    const { examinePostgres } = await import('./doctor/postgres.ts');
    findings.push(...(await examinePostgres(config)));
  } else {
    const { examineFolder } = await import('./doctor/folder.ts');
    findings.push(...(await examineFolder(config)));
  }
  if (config.redis) {
    const { examineValkey } = await import('./doctor/valkey.ts');
    findings.push(...(await examineValkey(config.redis)));
  }
  return findings;
}
