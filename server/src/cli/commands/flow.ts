import { type CommandGroup, command, json } from '../command.ts';
import { making } from '../records/run.ts';

export const flowCommands: CommandGroup = {
  name: 'flow',
  about: 'Flows: steps that Palaver runs when something happens',
  commands: [
    command({
      usage: 'create',
      about: 'Create a flow',
      options: {
        ...json,
        '--server <id>': { needed: 'Server' },
        '--name <n>': { needed: 'Name' },
        '--trigger <json>': { needed: 'Trigger' },
        '--steps <json>': { needed: 'Steps, as a JSON array' },
      },
      run: making(async () => (await import('../records/flow.ts')).createFlow),
    }),
  ],
};
