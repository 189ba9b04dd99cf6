/** True if two JSON values are equal, regardless of the order of their fields. */
export function isSame(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const [keys, others] = [Object.keys(one), Object.keys(other)];
  if (keys.length !== others.length) return false;
  return keys.every(
    (key) =>
      key in other && isSame((one as Record<string, unknown>)[key], (other as Record<string, unknown>)[key]),
  );
}
