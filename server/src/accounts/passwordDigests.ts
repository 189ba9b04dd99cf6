/** Encodes ascending numbers of 32 bits: each as its distance from the previous one, seven bits a byte. */
export function encodeDigests(digests: Uint32Array): Buffer {
  const bytes: number[] = [];
  let previous = 0;
  for (const digest of digests) {
    let rest = digest - previous;
    for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
    bytes.push(rest);
    previous = digest;
  }
  return Buffer.from(bytes);
}

/** Reverses `encodeDigests`. */
export function decodeDigests(bytes: Uint8Array): Uint32Array {
  let count = 0;
  for (const byte of bytes) if (byte < 128) count++;
  const digests = new Uint32Array(count);
  let previous = 0;
  let distance = 0;
  let unit = 1;
  let index = 0;
  for (const byte of bytes) {
    distance += (byte % 128) * unit;
    if (byte >= 128) unit *= 128;
    else {
      previous += distance;
      digests[index++] = previous;
      distance = 0;
      unit = 1;
    }
  }
  return digests;
}
