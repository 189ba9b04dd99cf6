import { syncBuiltinESMExports } from 'node:module';
import tty from 'node:tty';

// Preloaded into a process. Makes it treat its standard output and standard error as a terminal, although a test
// reads them.

tty.isatty = () => true;
syncBuiltinESMExports();
for (const stream of [process.stdout, process.stderr]) stream.isTTY = true;
