import { Link } from '../../../Link.tsx';
import { app as t } from '../../../strings/en/common.ts';
import { Gate } from './Gate.tsx';

/** The not-found page. */
export const Missing = () => (
  <Gate title={t.missing} lead={t.missingMore} icon="search">
    <Link to={{ page: 'home' }}>{t.home}</Link>
  </Gate>
);
