import type { Records } from '../../../api/records.ts';

export type State = Records['PlatformHealth'];

/** The result of a health check. Its texts are in `strings`. */
export interface Finding {
  about:
    | 'data'
    | 'valkey'
    | 'clock'
    | 'upkeep'
    | 'space'
    | 'waiting'
    | 'failing'
    | 'mails'
    | 'webhooks'
    | 'disabled';
  level: 'good' | 'warm' | 'bad';
  /** The number in the text: milliseconds, bytes or a count. */
  amount: number;
  /** The database's error message. */
  problem?: string;
}

/** Clock skew in ms. Beyond `bad`, sessions and links expire at noticeably wrong times. */
const SKEW = { warm: 1_000, bad: 30_000 };
/** Free bytes on the disk that stores files. */
const SPACE = { warm: 5_000_000_000, bad: 500_000_000 };
/** Pending jobs. Deleting a large server commonly queues this many. */
const WAITING = 500;

const below = (value: number, { warm, bad }: { warm: number; bad: number }): Finding['level'] =>
  value < bad ? 'bad' : value < warm ? 'warm' : 'good';

/** Queued emails. A working mail server accepts this many within minutes. */
const MAILS = 100;

/** All findings, worst first. */
export function findingsOf(state: State, now: number): Finding[] {
  const { skewMs, freeBytes, upkeepUntil, failingWebhooks, disabledWebhooks, isValkeyUp, waitingMails } =
    state;
  const waiting = state.sweeps + state.closings + state.fileRemovals;
  // Webhooks have a separate finding.
  const { webhooks: _, ...own } = state.failing;
  const failing = Object.values(own).reduce((sum, items) => sum + items, 0);
  const skew = Math.abs(skewMs);
  const isKept = upkeepUntil !== null && upkeepUntil > now;
  const all: (Finding | undefined)[] = [
    { about: 'data', level: state.isReady ? 'good' : 'bad', amount: 0, problem: state.problem },
    isValkeyUp === null ? undefined : { about: 'valkey', level: isValkeyUp ? 'good' : 'warm', amount: 0 },
    { about: 'clock', level: skew > SKEW.bad ? 'bad' : skew > SKEW.warm ? 'warm' : 'good', amount: skew },
    { about: 'upkeep', level: isKept ? 'good' : 'warm', amount: 0 },
    freeBytes === null ? undefined : { about: 'space', level: below(freeBytes, SPACE), amount: freeBytes },
    { about: 'waiting', level: waiting > WAITING ? 'warm' : 'good', amount: waiting },
    failing === 0 ? undefined : { about: 'failing', level: 'warm', amount: failing },
    waitingMails === null
      ? undefined
      : { about: 'mails', level: waitingMails > MAILS ? 'warm' : 'good', amount: waitingMails },
    { about: 'webhooks', level: failingWebhooks > 0 ? 'warm' : 'good', amount: failingWebhooks },
    disabledWebhooks === 0 ? undefined : { about: 'disabled', level: 'warm', amount: disabledWebhooks },
  ];
  const order = { bad: 0, warm: 1, good: 2 };
  return all
    .filter((finding) => finding !== undefined)
    .sort((one, other) => order[one.level] - order[other.level]);
}
