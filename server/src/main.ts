import { complaintOf } from './cli/complaint.ts';
import { program } from './cli/program.ts';

// Data and backups hold messages and keys: only the operator may read the files that commands make.
process.umask(0o077);

try {
  await program().parseAsync();
} catch (error) {
  const complaint = await complaintOf(error);
  if (complaint !== undefined) {
    process.stderr.write(`${complaint}\n`);
    process.exitCode = 1;
  }
}
