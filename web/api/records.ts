/** The shapes of the API's records. Apart from the calls, so that what needs no page can take them. */
export type { Records } from '../../client/src/index.ts';
