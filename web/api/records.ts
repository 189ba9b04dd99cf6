/**
 * The types of the API's records. Separate from the calls, so code that runs outside a page can import
 * them.
 */
export type { Records } from '../../client/src/index.ts';
