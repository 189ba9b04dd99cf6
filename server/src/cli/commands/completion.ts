import { unconfigured } from '../command.ts';
import { CommandError } from '../commandError.ts';

export const completionCommand = unconfigured({
  usage: 'completion <bash|zsh|fish>',
  about: 'Print a shell completion script',
  options: {},
  async run({ commands }, shell) {
    const { completions } = await import('../shell/completions.ts');
    const script = completions[shell as keyof typeof completions];
    if (!script) throw new CommandError(`unsupported shell ${shell}: use bash, zsh or fish`);
    return { record: { shell }, lines: [script(commands)] };
  },
});
