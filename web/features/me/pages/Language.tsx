import { me as t } from '../../../strings/en/me.ts';
import { dateTime, locale, number } from '../../../strings/format.ts';
import { Page, Row, Rows } from '../../settings/index.ts';

/** The language of the texts, and the customs by which dates and numbers are written. */
export const Language = () => (
  <Page title={t.sections.language} lead={t.language.lead}>
    <Rows label={t.sections.language}>
      <Row title={t.language.texts} note={t.language.textsMore} actions={<span lang="en">English</span>} />
      <Row
        title={t.language.customs}
        note={t.language.customsMore}
        actions={<span>{t.language.example(locale, dateTime(Date.now()), number(12345.6))}</span>}
      />
    </Rows>
  </Page>
);
