import { useState } from 'react';
import { icons } from '../../../web/ui/icons.ts';
import {
  Avatar,
  Badge,
  Button,
  Checkbox,
  Choice,
  Copy,
  Icon,
  IconButton,
  type IconName,
  Spinner,
  Switch,
} from '../../../web/ui/index.ts';

const people = [
  { id: '1', name: 'Ada Lovelace', presence: 'online' },
  { id: '22', name: 'ben', presence: 'idle' },
  { id: '333', name: 'Cem Öztürk', presence: 'dnd' },
  { id: '4444', name: '王芳', presence: 'offline' },
] as const;

const Buttons = () => (
  <>
    <div className="gallery-row">
      <Button kind="main">Save changes</Button>
      <Button>Cancel</Button>
      <Button kind="quiet">Skip</Button>
      <Button kind="danger" icon="trash">
        Delete
      </Button>
    </div>
    <div className="gallery-row">
      <Button kind="main" size="small" icon="plus">
        Create
      </Button>
      <Button size="small">Edit</Button>
      <Button kind="main" isPending>
        Sending
      </Button>
      <Button disabled>Disabled</Button>
      <Button kind="main" disabled>
        Disabled
      </Button>
    </div>
  </>
);

function IconButtons() {
  const [isOn, setOn] = useState(true);
  return (
    <div className="gallery-row">
      <IconButton icon="smile-plus" label="Add reaction" keys="E" />
      <IconButton icon="reply" label="Reply" />
      <IconButton icon="bell" label="Inbox" hasNews />
      <IconButton icon="pin" label="Pinned" isOn={isOn} onClick={() => setOn(!isOn)} />
      <IconButton icon="pencil" label="Edit" size="small" />
      <IconButton icon="settings" label="Settings" kind="plain" />
      <IconButton icon="send-horizontal" label="Send" kind="main" />
      <IconButton icon="lock" label="Locked" disabled />
      <Spinner />
    </div>
  );
}

const Badges = () => (
  <div className="gallery-row">
    <Badge>plain</Badge>
    <Badge kind="accent">accent</Badge>
    <Badge kind="good">delivered</Badge>
    <Badge kind="warm">idle</Badge>
    <Badge kind="bad">failed</Badge>
    <Badge kind="blue">agent</Badge>
    <Badge kind="count" label="3 mentions">
      3
    </Badge>
    <Badge kind="count">99+</Badge>
  </div>
);

const Avatars = () => (
  <div className="gallery-row">
    {people.map((person) => (
      <Avatar key={person.id} {...person} />
    ))}
    <Avatar id="5" name="Deploy Bot" isAgent />
    <Avatar id="6" name="Eve" size={24} />
    <Avatar id="7" name="Franz Gans" size={56} presence="online" isAgent />
  </div>
);

const Switches = () => (
  <div className="gallery-card">
    <Switch label="Notifications" defaultOn hint="On this device, for mentions and direct messages." />
    <Switch label="Sounds" />
    <Switch label="By your administrator" defaultOn isDisabled />
    <Checkbox label="Manage channels" defaultOn hint="Create, rename and delete them." />
    <Checkbox label="Ban members" error="You can only grant permissions you have." />
    <Checkbox label="Not for you" isDisabled />
  </div>
);

export function Controls() {
  return (
    <>
      <Buttons />
      <IconButtons />
      <Badges />
      <Avatars />
      <Switches />
      <Choice
        label="Theme"
        defaultValue="system"
        options={[
          { value: 'system', label: 'System', icon: 'monitor' },
          { value: 'light', label: 'Light', icon: 'sun' },
          { value: 'dark', label: 'Dark', icon: 'moon' },
        ]}
      />
      <Copy text="npx palaver start --port 8080" isShown />
      <div className="gallery-row">
        {(Object.keys(icons) as IconName[]).map((name) => (
          <span key={name} data-tip={name}>
            <Icon name={name} />
          </span>
        ))}
      </div>
    </>
  );
}
