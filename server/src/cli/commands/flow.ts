import { type CommandGroup, command, json } from '../command.ts';
import { making } from '../records/run.ts';

export const flowCommands: CommandGroup = {
  name: 'flow',
  about: 'Automations',
  commands: [
    command({
      usage: 'create',
      about: 'Make a flow',
      options: {
        ...json,
        '--server <id>': { needed: 'Its server' },
        '--name <n>': { needed: 'Its name' },
        '--trigger <json>': { needed: 'Its trigger' },
        '--steps <json>': { needed: 'Its steps, a list' },
      },
      run: making(async () => (await import('../records/flow.ts')).createFlow),
    }),
  ],
};
