export type Body = Record<string, unknown>;

/** The parts of a request that differ between calls: the value of its path parameter, and its body. */
export interface Ready {
  id?: string;
  body?: Body;
}
