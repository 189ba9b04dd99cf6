import { api, type Records } from '../../api/index.ts';
import { member as t } from '../../strings/en/panels.ts';
import { duration } from '../../strings/format.ts';
import { Choice, Dialog, Form, type Values, WithName } from '../../ui/index.ts';

/** Choices for the length of a time-out, in seconds. */
const lengths = [300, 3_600, 86_400, 7 * 86_400, 28 * 86_400];

interface TimeOutDialogProps {
  member: Records['ListedServerMember'];
  name: string;
  onClose: () => void;
}

/** Asks for the length of a time-out. */
export function TimeOutDialog({ member, name, onClose }: TimeOutDialogProps) {
  const start = async (values: Values) => {
    // A minute less, because clocks differ and the longest choice is the server's maximum.
    const ms = Number(values.text('seconds')) * 1_000 - 60_000;
    await api(member.serverId).serverMemberUpdate({ id: member.id, timeoutUntil: Date.now() + ms });
    onClose();
  };
  return (
    <Dialog title={<WithName words={t.timeOutAsk} values={{ name }} />} size="s" onClose={onClose}>
      <Form onSubmit={start} submit={t.timeOut} isDanger onCancel={onClose}>
        <p>{t.timeOutMore}</p>
        <Choice
          name="seconds"
          label={t.timeOutFor}
          defaultValue={String(lengths[1])}
          options={lengths.map((seconds) => ({ value: String(seconds), label: duration(seconds) }))}
        />
      </Form>
    </Dialog>
  );
}
