import { platform } from '../../../strings/en/platform.ts';
import { bytes, duration } from '../../../strings/format.ts';
import type { Finding } from './findings.ts';

const { good, wrong } = platform.health;

/** The text of a finding. */
export function wordsOf({ about, level, amount, problem = '' }: Finding): string {
  const isWell = level === 'good';
  switch (about) {
    case 'space':
      return (isWell ? good.space : wrong.space)({ size: bytes(amount) });
    case 'disabled':
    case 'failing':
      return wrong[about]({ count: amount });
    case 'data':
      return isWell ? good.data : wrong.data({ problem });
    case 'clock':
      return isWell ? good.clock : wrong.clock({ span: duration(amount / 1000) });
    case 'waiting':
    case 'mails':
    case 'webhooks':
      return isWell ? good[about] : wrong[about]({ count: amount });
    default:
      return (isWell ? good : wrong)[about];
  }
}
