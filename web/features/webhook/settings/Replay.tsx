import { useEffect, useRef, useState } from 'react';
import { api, type Records } from '../../../api/index.ts';
import { webhookSettings as t } from '../../../strings/en/programs.ts';
import { dateTime } from '../../../strings/format.ts';
import { Dialog, Form, TextField, toast, type Values, WithName } from '../../../ui/index.ts';
import { Closed, Note } from '../../settings/index.ts';
import { useReachOfWebhook } from '../../settings/server/index.ts';
import { pointBefore } from './pointBefore.ts';

interface ReplayProps {
  webhook: Records['Webhook'];
  /** The delivery to replay from (exclusive). Undefined if the user chooses a time. */
  after: Records['WebhookDelivery'] | undefined;
  /** Called once the replay is queued. */
  onSent: () => void;
  onClose: () => void;
}

const HOUR = 3_600_000;

/** The value of a `datetime-local` input, in local time. */
function localTime(at: number): string {
  const date = new Date(at);
  return new Date(at - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

/** Resends the events after a delivery or since a time. */
export function Replay({ webhook, after, onSent, onClose }: ReplayProps) {
  const { id, serverId, enabled, types } = webhook;
  const may = useReachOfWebhook(webhook).change;
  const [opened] = useState(() => Date.now());
  const [oldest, setOldest] = useState<number>();
  const looking = useRef<AbortController>(undefined);
  useEffect(() => () => looking.current?.abort(), []);

  async function pointOf(values: Values): Promise<string | undefined> {
    if (after) return after.eventId;
    looking.current = new AbortController();
    const { signal } = looking.current;
    const time = new Date(values.text('since')).getTime();
    return pointBefore(serverId, { types: types?.join(), time, signal, onPage: setOldest });
  }

  async function send(values: Values): Promise<void> {
    const point = await pointOf(values);
    if (point === undefined) return;
    await api(serverId).webhookReplay({ id, after: point });
    toast.show(enabled ? t.replaying : t.replayingLater, { kind: 'good' });
    onClose();
    onSent();
  }

  return (
    <Dialog
      title={<WithName words={t.replayOf} values={{ name: webhook.name }} />}
      size="s"
      onClose={onClose}
    >
      <Form submit={may.allowed && t.replay} onCancel={onClose} onSubmit={send}>
        <p>{after ? t.replayAfter({ type: after.type, when: dateTime(after.createdAt) }) : t.replayMore}</p>
        {!enabled && <Note icon="info">{t.replayDisabled}</Note>}
        <Closed permission={may} />
        {!after && (
          <TextField
            name="since"
            label={t.since}
            hint={oldest === undefined ? t.sinceHint : t.looking({ when: dateTime(oldest) })}
            type="datetime-local"
            defaultValue={localTime(opened - HOUR)}
            max={localTime(opened)}
            required
          />
        )}
      </Form>
    </Dialog>
  );
}
