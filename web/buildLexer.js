// The part of marked that the client has: its lexer, with regular expressions that are made when they are needed.
import { readFile } from 'node:fs/promises';

/** The end of marked's one file: the statements that tie its parts for HTML together, and its exports. */
const END = /var (\w+)=new \w+;function \w+\(\w+,\w+\)\{return \1\.parse\([\s\S]*?export\{([^}]*)\};/;
const EXPORTS = / as (Lexer|Tokenizer|getDefaults)$/;
/** Where marked makes the regular expression of a rule, of the source `$1` and the flags `$2`. */
const MADE = /(?<=getRegex:\(\)=>)new RegExp\((\w+),(\w+)\)/;

/**
 * A regular expression that is parsed when it is first tried. marked makes those of all its dialects at once, and V8 takes up to 1.5 ms
 * for one that names all punctuation, on a fast machine. All methods of `RegExp` go by `exec`.
 */
const LATE = `class LateRegExp extends RegExp {
  #source;
  #made;
  constructor(source, flags) {
    super('', flags);
    this.#source = source;
  }
  get source() {
    return this.#source;
  }
  exec(text) {
    const made = (this.#made ??= new RegExp(this.#source, this.flags));
    made.lastIndex = this.lastIndex;
    const found = made.exec(text);
    this.lastIndex = made.lastIndex;
    return found;
  }
}
`;

/**
 * Leaves marked's lexer alone of what marked has: esbuild cannot tell that nobody uses the rest. A version whose end is another is taken
 * whole, and the budget tells.
 */
export const lexerAlone = {
  name: 'lexer of marked',
  setup({ onLoad }) {
    onLoad({ filter: /marked\.esm\.js$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8');
      const end = END.exec(text);
      const kept = end?.[2].split(',').filter((each) => EXPORTS.test(each));
      if (kept?.length !== 3) return undefined;
      const lexer = text.slice(0, end.index).replace(MADE, 'new LateRegExp($1,$2)');
      return { contents: `${LATE}${lexer}export{${kept.join()}};`, loader: 'js' };
    });
  },
};
