import { settings } from '../../config.ts';
import { command, json } from '../command.ts';

export const doctorCommand = command({
  usage: 'doctor',
  about: 'Check data, settings and versions',
  options: { '--redis <url>': settings.redis.about, ...json },
  async run(loaded) {
    const { examine } = await import('../doctor/examine.ts');
    const findings = await examine(loaded);
    const problem = findings.find(({ ok }) => !ok);
    return {
      record: { ok: problem === undefined, findings },
      lines: findings.map(({ check, ok, message }) => `${ok ? 'ok     ' : 'PROBLEM'}  ${check}: ${message}`),
      problem: problem && `${problem.check}: ${problem.message}`,
    };
  },
});
