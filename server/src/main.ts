import { complaintOf } from './cli/complaint.ts';
import { program } from './cli/program.ts';

// Messages, keys and backups are for the operator's eyes only, whatever files a command makes.
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
