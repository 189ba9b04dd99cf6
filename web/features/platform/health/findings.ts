import type { Records } from '../../../api/records.ts';

export type State = Records['PlatformHealth'];

/** Something that is well, that wants a look, or that is wrong; its words are in `strings`. */
export interface Finding {
  about: 'data' | 'valkey' | 'clock' | 'upkeep' | 'space' | 'waiting' | 'mails' | 'webhooks' | 'disabled';
  level: 'good' | 'warm' | 'bad';
  /** What the words need: a time in ms, bytes, or how many. */
  amount: number;
  /** The database's own word. */
  problem?: string;
}

/** Differences of clocks, in ms: signed in sessions and links begin to err beyond the second. */
const SKEW = { warm: 1_000, bad: 30_000 };
/** Free bytes on the disk of the files. */
const SPACE = { warm: 5_000_000_000, bad: 500_000_000 };
/** Things that wait at once. As many as this are common after a large server was deleted. */
const WAITING = 500;

const below = (value: number, { warm, bad }: { warm: number; bad: number }): Finding['level'] =>
  value < bad ? 'bad' : value < warm ? 'warm' : 'good';

/** Mails that wait at once: the mail server takes hours over more. */
const MAILS = 100;

/** What is well and what is not, the worst first. */
export function findingsOf(state: State, now: number): Finding[] {
  const { skewMs, freeBytes, upkeepUntil, failingWebhooks, disabledWebhooks, isValkeyUp, waitingMails } =
    state;
  const waiting = state.sweeps + state.closings + state.fileRemovals;
  const skew = Math.abs(skewMs);
  const isKept = upkeepUntil !== null && upkeepUntil > now;
  const all: (Finding | undefined)[] = [
    { about: 'data', level: state.isReady ? 'good' : 'bad', amount: 0, problem: state.problem },
    isValkeyUp === null ? undefined : { about: 'valkey', level: isValkeyUp ? 'good' : 'warm', amount: 0 },
    { about: 'clock', level: skew > SKEW.bad ? 'bad' : skew > SKEW.warm ? 'warm' : 'good', amount: skew },
    { about: 'upkeep', level: isKept ? 'good' : 'warm', amount: 0 },
    freeBytes === null ? undefined : { about: 'space', level: below(freeBytes, SPACE), amount: freeBytes },
    { about: 'waiting', level: waiting > WAITING ? 'warm' : 'good', amount: waiting },
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
