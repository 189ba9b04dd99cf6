import { unconfigured } from '../command.ts';
import { CommandError } from '../commandError.ts';

export const completionCommand = unconfigured({
  usage: 'completion <bash|zsh|fish>',
  about: 'Print what makes a shell complete commands and options',
  options: {},
  async run({ commands }, shell) {
    const { completions } = await import('../shell/completions.ts');
    const script = completions[shell as keyof typeof completions];
    if (!script) throw new CommandError(`there is no completion for ${shell}: name bash, zsh or fish`);
    return { record: { shell }, lines: [script(commands)] };
  },
});
