import packageFile from '../package.json' with { type: 'json' };

// Data and backups contain messages and keys, so only the operator may read files that commands create.
process.umask(0o077);

const args = process.argv.slice(2);

async function main(): Promise<void> {
  // Loads no commands, so the answer takes little longer than starting Node.
  if (args.length === 1 && args[0] === '--version') {
    process.stdout.write(`${packageFile.version}\n`);
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
