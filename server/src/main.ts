import { writeSync } from 'node:fs';
import packageFile from '../package.json' with { type: 'json' };

// Only the operator may read files that commands create, because data and backups contain messages and keys.
process.umask(0o077);

const args = process.argv.slice(2);

async function main(): Promise<void> {
  // `--version` loads neither commands nor `process.stdout`, so it takes little longer than starting Node.
  if (args.length === 1 && args[0] === '--version') {
    writeSync(1, `${packageFile.version}\n`);
    return;
  }
  const { run } = await import('./cli/program.ts');
  await run(args);
}

try {
  await main();
} catch (error) {
  const { complaintOf } = await import('./cli/complaint.ts');
  const complaint = await complaintOf(error, args);
  if (complaint !== undefined) {
    process.stderr.write(`${complaint}\n`);
    process.exitCode = 1;
  }
}
