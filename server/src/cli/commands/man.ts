import { unconfigured } from '../command.ts';

export const manCommand = unconfigured({
  usage: 'man',
  about: 'Print the manual page, in roff',
  options: {},
  async run({ commands }) {
    const { manualPage } = await import('../shell/man.ts');
    return { record: {}, lines: [manualPage(commands)] };
  },
});
