import { existsSync } from 'node:fs';
import { exposures } from '../../config/exposed.ts';
import { mailFrom } from '../../config/mail.ts';
import type { LoadedConfig } from '../../config.ts';
import { folderOf } from '../../files/files.ts';
import type { Finding } from './finding.ts';
import { examineSpace } from './space.ts';

/** `palaver doctor`: checks the data, the settings and the versions, without changing anything. */
export async function examine({ config, file }: LoadedConfig): Promise<Finding[]> {
  const findings = [
    {
      check: 'program',
      ok: true,
      message: `Node ${process.versions.node}, SQLite ${process.versions.sqlite ?? 'unknown'}`,
    },
    { check: 'settings', ok: true, message: file ? `valid, from ${file}` : 'valid, without a config file' },
    { check: 'exposure', ok: true, message: exposures(config).join('; ') || 'as intended' },
  ];
  if (config.database) {
    const { examinePostgres } = await import('./postgres.ts');
    findings.push(...(await examinePostgres(config)));
  } else {
    const { examineFolder } = await import('./folder.ts');
    findings.push(...(await examineFolder(config)));
  }
  const files = folderOf(config);
  if (files !== undefined && existsSync(files) && (config.database || config.files !== ''))
    findings.push(await examineSpace('files space', files, config.minFreeMegabytes));
  if (config.redis) {
    const { examineValkey } = await import('./valkey.ts');
    findings.push(...(await examineValkey(config.redis)));
  }
  const mail = mailFrom(config);
  if (mail) {
    const { examineMail } = await import('./mail.ts');
    findings.push(await examineMail(mail));
  }
  if (config.providers.length > 0) {
    const { examineProviders } = await import('./providers.ts');
    findings.push(...(await examineProviders(config.providers, config.address)));
  }
  return findings;
}
