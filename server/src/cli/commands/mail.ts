import { mailFrom } from '../../config/mail.ts';
import { type CommandGroup, command, json } from '../command.ts';
import { CommandError } from '../commandError.ts';

export const mailCommands: CommandGroup = {
  name: 'mail',
  about: 'Mails',
  commands: [
    command({
      usage: 'test',
      about: 'Send a mail at once, to see that the settings are right',
      options: { ...json, '--to <address>': { needed: 'The address that gets it' } },
      async run({ config, given }) {
        const settings = mailFrom(config);
        if (!settings) throw new CommandError('no mails are sent: set PALAVER_MAIL and PALAVER_MAIL_FROM');
        const { sendTestMail } = await import('../records/mail.ts');
        return { record: await sendTestMail(settings, given.to) };
      },
    }),
  ],
};
