// Reed-Solomon codes over bytes, as QR codes have them.

/** The product of two bytes in the field of 256 elements. */
function product(one: number, other: number): number {
  let result = 0;
  for (let bit = 7; bit >= 0; bit--) {
    result = (result << 1) ^ ((result >>> 7) * 0x11d);
    result ^= ((other >>> bit) & 1) * one;
  }
  return result;
}

function divisorOf(length: number): number[] {
  const divisor: number[] = [...Array(length - 1).fill(0), 1];
  let root = 1;
  for (let turn = 0; turn < length; turn++) {
    for (let at = 0; at < length; at++)
      divisor[at] = product(divisor[at] as number, root) ^ (divisor[at + 1] ?? 0);
    root = product(root, 2);
  }
  return divisor;
}

/** The bytes of correction of a block. */
export function correctionOf(block: readonly number[], length: number): number[] {
  const divisor = divisorOf(length);
  let rest: number[] = Array(length).fill(0);
  for (const byte of block) {
    const factor = byte ^ (rest[0] as number);
    rest = divisor.map((each, at) => (rest[at + 1] ?? 0) ^ product(each, factor));
  }
  return rest;
}
