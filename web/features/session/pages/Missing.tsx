import { Link } from '../../../Link.tsx';
import { app as t } from '../../../strings/en/common.ts';
import { Gate } from './Gate.tsx';

/** The page of an address that leads nowhere. */
export const Missing = () => (
  <Gate title={t.missing} lead={t.missingMore} icon="search">
    <Link to={{ page: 'home' }}>{t.home}</Link>
  </Gate>
);
