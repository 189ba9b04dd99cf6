import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Json } from './world.ts';

const folder = join(import.meta.dirname, '..', '..', 'docs', 'guides');

/** The code blocks of a guide in order, each with its language. */
export function blocksOf(guide: string): { language: string; code: string }[] {
  const page = readFileSync(join(folder, guide), 'utf8');
  return [...page.matchAll(/^```(\w+)\n(.*?)^```/gms)].map(([, language, code]) => ({
    language: language as string,
    code: code as string,
  }));
}

/** The only block in a language that contains this text. Throws an Error if there is none, or more than one. */
export function blockWith(guide: string, language: string, text: string): string {
  const found = blocksOf(guide).filter((block) => block.language === language && block.code.includes(text));
  if (found.length !== 1) throw new Error(`${guide}: ${found.length} ${language} blocks with ${text}`);
  return found[0]?.code as string;
}

/**
 * A block whose placeholders, such as `'the id of the server'`, are replaced. Throws an Error if a placeholder is
 * missing.
 */
export function filledIn(code: string, values: Record<string, string>): string {
  let filled = code;
  for (const [words, value] of Object.entries(values)) {
    if (!filled.includes(words)) throw new Error(`the guide no longer says ${words}`);
    filled = filled.replaceAll(words, value);
  }
  return filled;
}

/** The client from the guide "Your own client in an evening": its replica, and the code that follows the stream. */
export interface OwnClient {
  Replica: new () => Json;
  follow: (options: Json) => Promise<void>;
  /** Deletes its files. */
  close(): void;
}

export async function ownClient(): Promise<OwnClient> {
  const folder = mkdtempSync(join(tmpdir(), 'palaver-guide-'));
  const load = (file: string, text: string) => {
    const path = join(folder, file);
    writeFileSync(path, blockWith('own-client.md', 'js', `export ${text}`));
    return import(path);
  };
  const { Replica } = await load('replica.mjs', 'class Replica {');
  const { follow } = await load('follow.mjs', 'async function follow(');
  return { Replica, follow, close: () => rmSync(folder, { recursive: true, force: true }) };
}
