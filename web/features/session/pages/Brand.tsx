import { base } from '../../../api/base.ts';
import { Link } from '../../../Link.tsx';
import { session as t } from '../../../strings/en/session.ts';

/** The product name, which links to the home page. */
export const Brand = () => (
  <header className="gate-head">
    <Link className="gate-brand" to={{ page: 'home' }}>
      <img src={`${base}/favicon.svg`} alt="" width={28} height={28} />
      {t.brand}
    </Link>
  </header>
);
