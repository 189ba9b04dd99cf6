import { api } from '../../../api/index.ts';
import { common } from '../../../strings/en/common.ts';
import { quiet, me as t } from '../../../strings/en/me.ts';
import { Form, TextArea, toast } from '../../../ui/index.ts';
import { keepAccount, type Myself } from '../../session/index.ts';
import { Group } from '../../settings/index.ts';

/** Keywords that notify the user when a message contains them. */
export function Keywords({ me: { keywords } }: { me: Myself }) {
  const words = quiet.keywords;
  return (
    <Group title={words.title} lead={words.lead}>
      <Form
        submit={common.save}
        onSubmit={async (values) => {
          const next = values.text('keywords').split(/[,\n]/);
          const given = next.map((word) => word.trim()).filter((word) => word !== '');
          keepAccount(await api('none').personUpdate({ keywords: given }));
          toast.show(t.profile.saved, { kind: 'good' });
        }}
      >
        <TextArea
          label={words.label}
          hint={words.more}
          name="keywords"
          rows={2}
          isOptional
          defaultValue={keywords.join(', ')}
        />
      </Form>
    </Group>
  );
}
