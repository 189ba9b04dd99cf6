import { api, type Records } from '../../../api/index.ts';
import { serverNow } from '../../../api/serverTime.ts';
import { keySettings as t } from '../../../strings/en/programs.ts';
import { Dialog, Form, Select, WithName } from '../../../ui/index.ts';
import { withProof } from '../../session/index.ts';
import { Closed, Note } from '../../settings/index.ts';
import { useReachOfKey } from '../../settings/server/index.ts';
import { DAY, spans } from './spans.ts';

/** How long the previous value stays valid, in seconds. */
const overlaps = [0, 3600, 86_400, 7 * 86_400, 30 * 86_400] as const;

interface RotateProps {
  secret: Records['Secret'];
  onMade: (secret: Records['NewSecret']) => void;
  onClose: () => void;
}

/** Rotates an API key, optionally with a new expiry, which is required for an expired key. */
export function Rotate({ secret, onMade, onClose }: RotateProps) {
  const { id, serverId, name, expiresAt, earlier } = secret;
  const may = useReachOfKey(secret).change;
  const isOver = expiresAt !== null && expiresAt <= Date.now();
  return (
    <Dialog title={<WithName words={t.askRotate} values={{ name }} />} size="s" onClose={onClose}>
      <Form
        submit={may.allowed && t.rotate}
        onCancel={onClose}
        onSubmit={async (values) => {
          const overlap = isOver ? 0 : Number(values.text('overlap'));
          const span = values.text('span');
          const days = Number(span);
          const end = span !== '' && { expiresAt: days === 0 ? null : (await serverNow()) + days * DAY };
          onMade(await withProof(() => api(serverId).secretRotate({ id, overlap, ...end })));
        }}
      >
        <p>{t.rotateMore}</p>
        <Closed permission={may} />
        {earlier && earlier.until > Date.now() && <Note>{t.earlierEnds({ preview: earlier.preview })}</Note>}
        {/* The validity of an expired value can't be extended. */}
        {!isOver && (
          <Select
            name="overlap"
            label={t.overlap}
            hint={t.overlapHint}
            defaultValue="86400"
            options={overlaps.map((seconds, at) => ({
              value: String(seconds),
              label: t.overlaps[at] as string,
            }))}
          />
        )}
        <Select
          name="span"
          label={t.end}
          defaultValue={isOver ? '90' : ''}
          options={[
            ...(isOver ? [] : [{ value: '', label: t.asBefore }]),
            ...spans.map((days) => ({ value: String(days), label: t.span({ days }) })),
          ]}
        />
      </Form>
    </Dialog>
  );
}
