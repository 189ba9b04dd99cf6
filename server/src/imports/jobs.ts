/** What runs exports, imports and merges, loaded with the first of them. */
export const jobs = {
  exports: () => import('./export/job.ts'),
  imports: () => import('./job.ts'),
  merges: () => import('./merge/merge.ts'),
};
