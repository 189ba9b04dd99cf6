import { api, type Records } from '../../../api/index.ts';
import { keySettings as t } from '../../../strings/en/keySettings.ts';
import { Dialog, Form, Select } from '../../../ui/index.ts';
import { withProof } from '../../session/index.ts';

/** Seconds for which the value before stays valid. */
const overlaps = [0, 3600, 86_400, 7 * 86_400, 30 * 86_400] as const;

interface RotateProps {
  secret: Records['Secret'];
  onMade: (secret: Records['NewSecret']) => void;
  onClose: () => void;
}

/** Gives an API key a new value. */
export const Rotate = ({ secret: { id, serverId, name }, onMade, onClose }: RotateProps) => (
  <Dialog title={t.askRotate(name)} size="s" onClose={onClose}>
    <Form
      submit={t.rotate}
      onCancel={onClose}
      onSubmit={async (values) => {
        const overlap = Number(values.text('overlap'));
        onMade(await withProof(() => api(serverId).secretRotate({ id, overlap })));
      }}
    >
      <p>{t.rotateMore}</p>
      <Select
        name="overlap"
        label={t.overlap}
        hint={t.overlapHint}
        defaultValue="86400"
        options={overlaps.map((seconds, at) => ({ value: String(seconds), label: t.overlaps[at] as string }))}
      />
    </Form>
  </Dialog>
);
