// A language for tests and for development: English with accents, longer by a third, and written from right to left. A text that is not
// in it did not come from `strings/`; a part of the page that is on the wrong side is where its styles know but one direction.

/** Its tag, as Android and Chromium have it: dates and numbers are those of Arabic. */
export const PSEUDO = 'ar-XB';

const plain = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';
const accented = 'áƀçđéƒĝĥíĵķļɱñóþɋŕšţúṽŵẋýžÁƁÇÐÉƑĜĤÍĴĶĻṀÑÓÞɊŔŠŢÚṼŴẊÝŽ';
const letters = new Map([...plain].map((letter, at) => [letter, [...accented][at]]));

/** From here on each character stands to the left of the one before it, until `END`: so texts look as those of Arabic or Hebrew do. */
const FROM_RIGHT = '\u202e';
const END = '\u202c';

/** A text in the language. Spaces around it stay at its ends, and one without a letter stays as it is. */
function pseudo(text) {
  const [, before, inside, after] = /^(\s*)([\s\S]*?)(\s*)$/.exec(text);
  if (!/\p{L}/u.test(inside)) return text;
  const turned = [...inside].map((letter) => letters.get(letter) ?? letter).join('');
  const more = '~~~~ '.repeat(Math.ceil((inside.length * 0.3) / 5)).trim();
  return turned
    .split('\n')
    .map(
      (line, at, { length }) => `${before}${FROM_RIGHT}${line}${at === length - 1 ? ` ${more}` : ''}${END}`,
    )
    .join('\n')
    .concat(after);
}

/** Names that programs read stay as they are: of files, and of channels that a person makes by a press of a button. */
const isKept = (name) => ['fileName', 'firstChannel', 'section', 'command', 'form'].includes(name);

/** What the file about the language itself and that of the shell say in place of the English ones. */
const own = {
  'language.ts': `export const language = ${JSON.stringify(PSEUDO)};`,
};

/**
 * The code of a file of English texts with all that it says in the language: its literals, but names of properties, paths of imports and
 * what is compared. TypeScript, which reads it, is a tool of development alone, so this is never part of what a server gives out.
 */
export async function pseudoOf(code, name) {
  if (own[name]) return own[name];
  const { default: ts } = await import('typescript');
  const file = ts.createSourceFile(name, code, ts.ScriptTarget.Latest, true, ts.ScriptKind.TS);
  const changes = [];
  const visit = (node) => {
    if (ts.isImportDeclaration(node) || ts.isTypeNode(node) || ts.isCaseClause(node)) {
      if (ts.isCaseClause(node)) node.statements.forEach(visit);
      return;
    }
    if (ts.isBinaryExpression(node) && /^[!=]==$/.test(node.operatorToken.getText())) return;
    if (ts.isPropertyAssignment(node)) {
      if (!isKept(node.name.getText()) && node.name.getText() !== 'direction') visit(node.initializer);
      if (node.name.getText() === 'direction')
        changes.push([node.initializer.getStart(), node.initializer.end, "'rtl'"]);
      return;
    }
    if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node))
      changes.push([node.getStart(), node.end, JSON.stringify(pseudo(node.text))]);
    else if (ts.isTemplateHead(node) || ts.isTemplateMiddle(node) || ts.isTemplateTail(node)) {
      const [open, close] = [code[node.getStart()], ts.isTemplateTail(node) ? '`' : '${'];
      changes.push([
        node.getStart(),
        node.end,
        open + JSON.stringify(pseudo(node.text)).slice(1, -1) + close,
      ]);
    } else ts.forEachChild(node, visit);
  };
  visit(file);
  return changes
    .sort(([one], [other]) => other - one)
    .reduce((text, [from, to, other]) => text.slice(0, from) + other + text.slice(to), code);
}
