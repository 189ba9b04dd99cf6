/** A day in milliseconds. */
export const DAY = 86_400_000;

/** Days until a key expires; 0 for never. */
export const spans = [7, 30, 90, 365, 0] as const;
