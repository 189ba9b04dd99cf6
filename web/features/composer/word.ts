import { mayBeginName } from '../../../server/src/lib/text/index.ts';
import { openFence } from './fence.ts';

/** A word at the caret that may be completed. */
export interface Word {
  mark: '@' | '#' | ':' | '/';
  /** The text between the mark and the caret; for a command, its name and options. */
  typed: string;
  /** The position of the mark, or of a command's option. */
  from: number;
  to: number;
}

const name = /([@#])([\p{L}\p{M}\p{N}_.-]{0,32})$/u;
/** A colon on its own or before a bracket does not start a shortcode. */
const emoji = /(?<![\p{L}\p{N}_:])(:)([\p{L}\p{M}\p{N}_+-]{2,32})$/u;

/** A command, alone or with options. It must be at the start of the text. */
const command = /^\/([\p{L}\p{M}\p{N}_-]{0,32})( .*)?$/u;
/** An option of a command. In quotation marks, it can contain spaces. */
const option = /(?:[^\s"]|"[^"]*(?:"|$))+/gu;

let commands: readonly string[] = [];

/** Sets the known commands. Only their options are completed. */
export const setCommandNames = (names: readonly string[]): void => {
  commands = names;
};

function commandAt(before: string, to: number): Word | undefined {
  const match = command.exec(before);
  if (!match || (match[2] !== undefined && !commands.includes(match[1] as string))) return undefined;
  const last = [...before.matchAll(option)].at(-1);
  const from = last && last.index + last[0].length === to ? last.index : to;
  return { mark: '/', typed: before.slice(1), from, to };
}

/** True if the text ends inside code, where mentions are plain text. */
function isInCode(text: string): boolean {
  if (openFence(text) !== undefined) return true;
  const line = text.slice(text.lastIndexOf('\n') + 1);
  return (line.match(/`/g)?.length ?? 0) % 2 === 1;
}

/** The name at the end of the text. A mark inside a word or a URL does not begin one, as in messages. */
function nameIn(text: string): RegExpExecArray | null {
  const match = name.exec(text);
  return match && mayBeginName(text, match.index) ? match : null;
}

/** The word before the caret that may be completed; undefined if there is none. */
export function wordAt(text: string, caret: number): Word | undefined {
  const before = text.slice(0, caret);
  const used = commandAt(before, caret);
  if (used) return used;
  const match = nameIn(before) ?? emoji.exec(before);
  if (!match || isInCode(before)) return undefined;
  const [whole, mark, typed = ''] = match;
  return { mark: mark as Word['mark'], typed, from: caret - whole.length, to: caret };
}

/** The shortcode that the second colon has just closed, such as `:tada:`. */
export function closedCode(text: string, caret: number): { code: string; from: number } | undefined {
  const match = /(?<![\p{L}\p{N}_:]):([a-z0-9_+-]{2,40}):$/u.exec(text.slice(0, caret));
  if (!match || isInCode(text.slice(0, match.index))) return undefined;
  return { code: match[1] as string, from: match.index };
}
