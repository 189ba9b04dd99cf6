export type Body = Record<string, unknown>;

/** What a request is made with: the value of its path parameter, and its body. */
export interface Ready {
  id?: string;
  body?: Body;
}
