import { complaintOf } from './cli/complaint.ts';
import { run } from './cli/program.ts';

// Data and backups contain messages and keys, so only the operator may read files that commands create.
process.umask(0o077);

const args = process.argv.slice(2);

try {
  await run(args);
} catch (error) {
  const complaint = await complaintOf(error, args);
  if (complaint !== undefined) {
    process.stderr.write(`${complaint}\n`);
    process.exitCode = 1;
  }
}
