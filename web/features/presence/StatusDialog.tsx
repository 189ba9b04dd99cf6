import { presence as t } from '../../strings/en/frame.ts';
import { dateTime } from '../../strings/format.ts';
import { Choice, Dialog, Form, Select, TextField, type Values } from '../../ui/index.ts';
import { statuses } from './items.ts';
import { type OwnStatus, ownPresence, saveOwn } from './own.ts';
import { type End, endOf, ends } from './textEnd.ts';

/** Maximum length of the status text, as in the API. */
const MOST = 100;

/** Edits the user's status and status text. */
export default function StatusDialog({ onClose }: { onClose: () => void }) {
  const own = ownPresence.use();
  const isKept = own?.textUntil != null;
  const save = async (values: Values) => {
    const text = values.text('text').trim();
    const end = values.text('textUntil') as End | 'kept';
    const until = end === 'kept' ? (own?.textUntil ?? null) : endOf(end, new Date());
    await saveOwn({
      status: values.text('status') as OwnStatus,
      text: text === '' ? null : text,
      ...(text !== '' && { textUntil: until }),
    });
    onClose();
  };
  return (
    <Dialog title={t.title} size="s" onClose={onClose}>
      <Form onSubmit={save} onCancel={onClose}>
        <TextField
          label={t.text}
          name="text"
          placeholder={t.textPrompt}
          defaultValue={own?.text ?? ''}
          maxLength={MOST}
          isOptional
          autoFocus
        />
        <Select
          label={t.until}
          name="textUntil"
          defaultValue={isKept ? 'kept' : 'never'}
          options={[
            ...(isKept ? [{ value: 'kept', label: dateTime(own?.textUntil ?? 0) }] : []),
            ...ends.map((end) => ({ value: end, label: t.ends[end] })),
          ]}
        />
        <Choice
          label={t.shownAs}
          name="status"
          defaultValue={own?.status ?? 'online'}
          options={statuses.map((status) => ({ value: status, label: t.short[status] }))}
        />
      </Form>
    </Dialog>
  );
}
