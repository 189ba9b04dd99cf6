import { type CommandGroup, command, json } from '../command.ts';
import { changing, listing, making, reading } from '../records/run.ts';

export const flowCommands: CommandGroup = {
  name: 'flow',
  about: 'Flows: steps that Palaver runs when a trigger occurs',
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
    command({
      usage: 'list',
      about: 'List flows',
      options: { ...json, '--server <id>': 'Only flows of this server' },
      run: listing(
        ['id', 'name', 'serverId', 'kind', 'enabled', 'disabledReason'],
        async () => (await import('../records/flow.ts')).listFlows,
      ),
    }),
    command({
      usage: 'show <id>',
      about: 'Show a flow with its trigger and steps',
      options: json,
      run: reading(async () => (await import('../records/flow.ts')).showFlow),
    }),
    command({
      usage: 'enable <id>',
      about: "Turn a flow on. It then depends on the permissions of the server's owner",
      options: json,
      run: changing(async () => (await import('../records/flow.ts')).enableFlow),
    }),
    command({
      usage: 'disable <id>',
      about: 'Turn a flow off. Runs that have started continue',
      options: json,
      run: changing(async () => (await import('../records/flow.ts')).disableFlow),
    }),
    command({
      usage: 'run <id>',
      about: 'Start a run of a flow. The server executes its steps',
      options: { ...json, '--input <json>': 'Input of the run (default: {})' },
      run: changing(async () => (await import('../records/flow.ts')).runFlow),
    }),
    command({
      usage: 'runs <id>',
      about: 'List the latest 100 runs of a flow, newest first',
      options: {
        ...json,
        '--status <status>': 'Only runs with this status: running, waiting, done, failed or cancelled',
      },
      run: listing(
        ['id', 'trigger', 'status', 'createdAt', 'endedAt'],
        async () => (await import('../records/flow.ts')).listRuns,
      ),
    }),
    command({
      usage: 'delete <id>',
      about: 'Delete a flow with its runs and its role',
      options: json,
      run: changing(async () => (await import('../records/flow.ts')).removeFlow),
    }),
  ],
};
