import { mailFrom } from '../../config/mail.ts';
import { type CommandGroup, command, json } from '../command.ts';
import { CommandError } from '../commandError.ts';

export const mailCommands: CommandGroup = {
  name: 'mail',
  about: 'Email',
  commands: [
    command({
      usage: 'test',
      about: 'Send a test email to check the settings',
      options: { ...json, '--to <address>': { needed: 'Recipient' } },
      async run({ config, given }) {
        const settings = mailFrom(config);
        if (!settings)
          throw new CommandError('email is not configured: set PALAVER_MAIL and PALAVER_MAIL_FROM');
        const { sendTestMail } = await import('../records/mail.ts');
        return { record: await sendTestMail(settings, given.to) };
      },
    }),
  ],
};
