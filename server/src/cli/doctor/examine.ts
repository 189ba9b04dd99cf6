import { mailFrom } from '../../config/mail.ts';
import type { LoadedConfig } from '../../config.ts';
import type { Finding } from './finding.ts';

/** `palaver doctor`: checks the data, the settings and the versions, without changing anything. */
export async function examine({ config, file }: LoadedConfig): Promise<Finding[]> {
  const findings = [
    {
      check: 'program',
      ok: true,
      message: `Node ${process.versions.node}, SQLite ${process.versions.sqlite ?? 'unknown'}`,
    },
    { check: 'settings', ok: true, message: file ? `valid, from ${file}` : 'valid, without a config file' },
  ];
  if (config.database) {
    const { examinePostgres } = await import('./postgres.ts');
    findings.push(...(await examinePostgres(config)));
  } else {
    const { examineFolder } = await import('./folder.ts');
    findings.push(...(await examineFolder(config)));
  }
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
