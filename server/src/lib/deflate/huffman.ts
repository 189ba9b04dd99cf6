/** The longest code that Deflate allows, in bits. */
const MAX_BITS = 15;

/** A prefix code: for each symbol, its bits in the order in which Deflate writes them, and their number. */
export interface Code {
  bits: Uint16Array;
  lengths: Uint8Array;
}

/** Returns the canonical Huffman code (RFC 1951, 3.2.2) for symbols with these weights. */
export function codeFor(weights: readonly number[]): Code {
  const lengths = lengthsFor(weights);
  const bits = new Uint16Array(lengths.length);
  let code = 0;
  for (let length = 1; length <= MAX_BITS; length++) {
    code <<= 1;
    for (const [symbol, own] of lengths.entries())
      if (own === length) bits[symbol] = reversed(code++, length);
  }
  return { bits, lengths };
}

interface Node {
  weight: number;
  symbols: readonly number[];
}

/** Merges the two lightest nodes until one is left. Each merge makes the codes of its symbols a bit longer. */
function lengthsFor(weights: readonly number[]): Uint8Array {
  const lengths = new Uint8Array(weights.length);
  const nodes: Node[] = weights.map((weight, symbol) => ({ weight, symbols: [symbol] }));
  while (nodes.length > 1) {
    nodes.sort((one, other) => other.weight - one.weight);
    const [one, other] = [nodes.pop(), nodes.pop()] as [Node, Node];
    const symbols = [...one.symbols, ...other.symbols];
    for (const symbol of symbols) lengths[symbol] = (lengths[symbol] as number) + 1;
    nodes.push({ weight: one.weight + other.weight, symbols });
  }
  return lengths;
}

/** Huffman codes are written starting with their most significant bit, and all other bits in reverse. */
export function reversed(code: number, length: number): number {
  let bits = 0;
  for (let place = 0; place < length; place++) bits |= ((code >>> place) & 1) << (length - 1 - place);
  return bits;
}

/** For each length or distance, its code with its extra bits. */
export interface Ranges {
  bits: Uint32Array;
  counts: Uint8Array;
}

/**
 * Returns the codes of a sequence of ranges (RFC 1951, 3.2.5). `extraOf` returns the number of extra bits of
 * the range at an index.
 */
export function rangesOf(
  { bits, lengths }: Code,
  { first, symbol, end }: { first: number; symbol: number; end: number },
  extraOf: (index: number) => number,
): Ranges {
  const all = { bits: new Uint32Array(end + 1), counts: new Uint8Array(end + 1) };
  for (let index = 0, from = first; from <= end; index++) {
    const [extra, code, length] = [extraOf(index), bits[symbol + index], lengths[symbol + index]];
    for (let rest = 0; rest < 1 << extra && from + rest <= end; rest++) {
      all.bits[from + rest] = (code as number) | (rest << (length as number));
      all.counts[from + rest] = (length as number) + extra;
    }
    from += 1 << extra;
  }
  return all;
}
