/** What runs exports and imports, loaded with the first of them. */
export const jobs = {
  exports: () => import('./export/job.ts'),
  imports: () => import('./job.ts'),
};
