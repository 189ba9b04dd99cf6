import { syncBuiltinESMExports } from 'node:module';
import tty from 'node:tty';

// Preload into a process: its standard output and standard error then count as a terminal, while a test reads them.

tty.isatty = () => true;
syncBuiltinESMExports();
for (const stream of [process.stdout, process.stderr]) stream.isTTY = true;
