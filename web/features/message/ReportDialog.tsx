import { api, type Records } from '../../api/index.ts';
import { report as t } from '../../strings/en/conversation.ts';
import { Dialog, Form, openDialog, TextArea, toast, type Values } from '../../ui/index.ts';

/** Asks for a reason, then reports a message to the moderators of its server. */
export const askToReport = (message: Records['ShownMessage']): void =>
  openDialog((close) => <ReportDialog message={message} onClose={close} />);

interface ReportDialogProps {
  message: Records['ShownMessage'];
  onClose: () => void;
}

function ReportDialog({ message: { id: messageId, serverId }, onClose }: ReportDialogProps) {
  const report = async (values: Values) => {
    await api(serverId).reportInsert({ messageId, reason: values.text('reason').trim() });
    onClose();
    toast.show(t.done, { kind: 'good' });
  };
  return (
    <Dialog title={t.title} size="s" onClose={onClose}>
      <Form onSubmit={report} submit={t.submit} isDanger onCancel={onClose}>
        <p>{t.text}</p>
        <TextArea label={t.reason} name="reason" most={1000} rows={3} required />
      </Form>
    </Dialog>
  );
}
