import { useRef, useState } from 'react';
import {
  Button,
  confirm,
  Dialog,
  Form,
  IconButton,
  Menu,
  type MenuItem,
  MenuList,
  Popover,
  Select,
  TextField,
  Tooltip,
  toast,
} from '../../../web/ui/index.ts';

const actions: readonly MenuItem[] = [
  { heading: 'Message' },
  { label: 'Reply', icon: 'reply', note: 'R', onSelect: () => void toast.show('Reply') },
  { label: 'Pin', icon: 'pin', onSelect: () => void toast.show('Pinned', { kind: 'good' }) },
  { label: 'Mark as unread', icon: 'mail', isDisabled: true, onSelect: () => undefined },
  'line',
  { label: 'Show previews', icon: 'image', isOn: true, onSelect: () => undefined },
  { label: 'Delete', icon: 'trash', isDanger: true, note: 'Del', onSelect: () => askToDelete() },
];

const askToDelete = () =>
  confirm.ask({
    title: 'Delete #general?',
    text: 'Its 1,204 messages are gone for good, for everyone.',
    action: 'Delete channel',
    isDanger: true,
    typed: 'general',
    onConfirm: async () => {
      await new Promise((resolve) => setTimeout(resolve, 200));
      toast.show('#general is deleted');
    },
  });

const Toasts = () => (
  <div className="gallery-row">
    <Button
      onClick={() => toast.show('Message moved', { action: { label: 'Undo', onSelect: () => undefined } })}
    >
      Toast
    </Button>
    <Button onClick={() => toast.show('The file is larger than 25 MB.', { kind: 'bad' })}>Bad toast</Button>
    <Button onClick={() => [1, 2, 3, 4, 5].map((each) => toast.show(`News ${each}`))}>Five toasts</Button>
  </div>
);

function ContextMenu() {
  const [at, setAt] = useState<{ x: number; y: number }>();
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: a right-click is an alternative to the button above
    <div
      className="gallery-card"
      onContextMenu={(event) => {
        event.preventDefault();
        setAt({ x: event.clientX, y: event.clientY });
      }}
    >
      Right click here
      {at && <MenuList label="Here" items={actions} anchor={at} onClose={() => setAt(undefined)} />}
    </div>
  );
}

/** Two dialogs. The second one replaces the first. */
const KeyDialogs = ({ step, onStep }: { step: 1 | 2 | undefined; onStep: (step: 2 | undefined) => void }) => (
  <>
    {step === 1 && (
      <Dialog title="A key" onClose={() => onStep(undefined)}>
        <Button onClick={() => onStep(2)}>Create</Button>
      </Dialog>
    )}
    {step === 2 && (
      <Dialog title="The key that was made" onClose={() => onStep(undefined)}>
        <p>Copy it now. You won't see it again.</p>
      </Dialog>
    )}
  </>
);

function ServerDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title="Create a server" onClose={onClose}>
      <Form
        submit="Create server"
        onCancel={onClose}
        onSubmit={() => {
          onClose();
          toast.show('Server created.', { kind: 'good' });
        }}
      >
        <TextField label="Name" name="name" required hint="You can change it later." />
        <Select
          label="Access"
          name="join"
          options={[
            { value: 'invite', label: 'People with an invite' },
            { value: 'all', label: 'Everybody' },
          ]}
        />
      </Form>
      <Menu label="In a dialog" items={actions}>
        {(trigger) => (
          <Button {...trigger} size="small">
            Menu inside
          </Button>
        )}
      </Menu>
    </Dialog>
  );
}

export function Overlays() {
  const [isOpen, setOpen] = useState(false);
  const [step, setStep] = useState<1 | 2>();
  const [hasPopover, setPopover] = useState(false);
  const anchor = useRef<HTMLButtonElement>(null);
  return (
    <>
      <div className="gallery-row">
        <Button onClick={() => setOpen(true)}>Dialog</Button>
        <Button onClick={() => setStep(1)}>Two dialogs</Button>
        <Button onClick={askToDelete}>Confirm</Button>
        <Menu label="Actions" items={actions}>
          {(trigger) => <Button {...trigger}>Menu</Button>}
        </Menu>
        <Menu label="More" items={() => actions} placement="below-end">
          {(trigger) => <IconButton {...trigger} icon="ellipsis" label="More" />}
        </Menu>
        <Button ref={anchor} aria-expanded={hasPopover} onClick={() => setPopover(!hasPopover)}>
          Popover
        </Button>
        <Tooltip text="Shown by hover and focus">
          <Button>Tooltip</Button>
        </Tooltip>
      </div>
      <Toasts />
      <ContextMenu />
      {hasPopover && (
        <Popover anchor={anchor} label="Details" onClose={() => setPopover(false)}>
          <p>Next to its button, above everything else.</p>
          <Button size="small" onClick={() => setPopover(false)}>
            Done
          </Button>
        </Popover>
      )}
      <KeyDialogs step={step} onStep={setStep} />
      {isOpen && <ServerDialog onClose={() => setOpen(false)} />}
    </>
  );
}
