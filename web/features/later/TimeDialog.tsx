import { Dialog, Form, type Values } from '../../ui/index.ts';
import { TimeField, timeIn } from './TimeField.tsx';

interface TimeDialogProps {
  title: string;
  /** The label of the button. */
  action: string;
  /** The name of the field in the request, for errors. */
  name: string;
  /** The initial time, in ms. */
  first: number;
  onTime: (at: number) => Promise<void>;
  onClose: () => void;
}

/** Asks for a date and a time of day. */
export function TimeDialog({ title, action, name, first, onTime, onClose }: TimeDialogProps) {
  const submit = async (values: Values) => {
    await onTime(timeIn(values.text(name)));
    onClose();
  };
  return (
    <Dialog title={title} size="s" onClose={onClose}>
      <Form submit={action} onSubmit={submit} onCancel={onClose}>
        <TimeField name={name} at={first} />
      </Form>
    </Dialog>
  );
}
