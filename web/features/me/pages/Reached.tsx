import { api } from '../../../api/index.ts';
import { me as t } from '../../../strings/en/me.ts';
import { language } from '../../../strings/format.ts';
import { Select, Switch, toast } from '../../../ui/index.ts';
import { keepAccount, type Myself, useEntrance } from '../../session/index.ts';
import { Group } from '../../settings/index.ts';

type Content = Myself['pushContent'];
const contents = ['full', 'sender', 'nothing'] as const satisfies readonly Content[];

const languageOfMails = language === 'de' ? 'de' : 'en';

/** Settings for the content of push notifications, and for emails about unread messages. */
export function Reached({ me }: { me: Myself }) {
  const { data } = useEntrance();
  const change = (fields: Partial<Pick<Myself, 'pushContent' | 'digest' | 'language'>>) => {
    api('none').personUpdate(fields).then(keepAccount).catch(toast.error);
  };
  return (
    <>
      <Group title={t.notifications.content} lead={t.notifications.contentMore}>
        <Select<Content>
          label={t.notifications.content}
          isLabelHidden
          value={me.pushContent}
          options={contents.map((value) => ({ value, label: t.notifications.contents[value] }))}
          onValue={(pushContent) => change({ pushContent })}
        />
      </Group>
      {data?.sendsMails && (
        <Group title={t.notifications.mail}>
          <Switch
            label={t.notifications.digest}
            hint={me.email === null ? t.notifications.digestWithout : t.notifications.digestMore}
            isOn={me.digest === 'mentions'}
            isDisabled={me.email === null && me.digest === 'off'}
            onChange={(isOn) => change({ digest: isOn ? 'mentions' : 'off', language: languageOfMails })}
          />
        </Group>
      )}
    </>
  );
}
