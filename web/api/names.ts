const hidden =
  /(?!\u200c|\u200d|\ufe0e|\ufe0f|[\u{e0020}-\u{e01ef}])[\p{Cc}\p{Cf}\p{DI}\u2028\u2029\u2800]/gu;
const stacked = /(\p{M}{6})\p{M}+/gu;

/**
 * A name without characters that hide or reverse text. The server rejects such characters now, but older data
 * may have them.
 */
export function safeName(name: string): string {
  const safe = name.replace(hidden, '').replace(stacked, '$1');
  return /[^\s\p{M}\p{C}]/u.test(safe) ? safe : '?';
}

/** Makes the names in a server response safe to display, in place, except in the JSON of apps and flows. */
export function withSafeNames<T>(answer: T): T {
  const fields = answer as Record<string, unknown>;
  if (typeof answer === 'object')
    for (const field in answer) {
      const value = fields[field];
      if (typeof value !== 'string') /^(meta|trigger|steps)$/.test(field) || withSafeNames(value);
      else if (value && /name$|^device$|^client$/i.test(field)) fields[field] = safeName(value);
    }
  return answer;
}
