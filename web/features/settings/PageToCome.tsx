import { common } from '../../strings/en/common.ts';
import { Skeleton } from '../../ui/index.ts';
import './page.css';

/** The skeleton of a page that is still loading, when only its title is known. */
export const PageToCome = ({ title }: { title: string }) => (
  <div className="stack setting-page" aria-busy="true">
    <header className="stack setting-words">
      <h1 className="setting-title">{title}</h1>
      <Skeleton width="24rem" />
      <span className="only-read" role="status">
        {common.loading}
      </span>
    </header>
    <Skeleton height="6rem" />
  </div>
);
