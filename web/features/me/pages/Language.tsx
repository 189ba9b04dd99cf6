import { useState } from 'react';
import { me as t } from '../../../strings/en/me.ts';
import { dateTime, locale, number } from '../../../strings/format.ts';
import { Button, Select } from '../../../ui/index.ts';
import { chooseLanguage, chosenLanguage, languages } from '../../language/index.ts';
import { Group, Page, Row, Rows } from '../../settings/index.ts';

/** The option for the browser's preferred language. */
const BROWSER = '';

/** The language of the interface, and the locale for dates and numbers. */
export function Language() {
  const [wanted, setWanted] = useState(chosenLanguage() ?? BROWSER);
  const options = [
    { value: BROWSER, label: t.language.browser },
    ...languages().map(({ tag, name }) => ({ value: tag, label: name, lang: tag })),
  ];
  return (
    <Page title={t.sections.language} lead={t.language.lead}>
      <Group title={t.language.texts}>
        <Select
          label={t.language.texts}
          hint={t.language.textsMore}
          isLabelHidden
          options={options}
          value={wanted}
          onValue={setWanted}
        />
        <div>
          {/* Requires a button click, because changing the language reloads the page. Users do not expect a reload from an arrow key. */}
          <Button kind="main" onClick={() => chooseLanguage(wanted || undefined)}>
            {t.language.use}
          </Button>
        </div>
      </Group>
      <Rows label={t.language.customs}>
        <Row
          title={t.language.customs}
          note={t.language.customsMore}
          actions={
            <bdi>{t.language.example({ locale, date: dateTime(Date.now()), amount: number(12345.6) })}</bdi>
          }
        />
      </Rows>
    </Page>
  );
}
