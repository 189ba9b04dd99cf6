/** The modules that run exports, imports and merges. They are loaded on first use. */
export const jobs = {
  exports: () => import('./export/job.ts'),
  imports: () => import('./job.ts'),
  merges: () => import('./merge/merge.ts'),
};
