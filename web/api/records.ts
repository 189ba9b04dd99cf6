/** The types of the API's records. Separate from the calls, so that code without a page can import them. */
export type { Records } from '../../client/src/index.ts';
