import type { Records } from '../../../api/records.ts';
import { blocks as t } from '../../../strings/en/writing.ts';
import { Icon, type IconName, Spinner } from '../../../ui/index.ts';

type Task = Records['Task'];

const icons: Record<Exclude<Task['state'], 'working'>, IconName> = {
  pending: 'clock',
  done: 'circle-check',
  failed: 'circle-alert',
};

/** A list of tasks with their states. */
export function Tasks({ title, tasks }: { title: string | undefined; tasks: readonly Task[] }) {
  const done = tasks.filter(({ state }) => state === 'done').length;
  return (
    <div className="block-tasks">
      <p className="small block-tasks-head">
        {title !== undefined && <b dir="auto">{title}</b>}{' '}
        <span className="tiny muted">{t.tasks({ done, count: tasks.length })}</span>
      </p>
      <ul>
        {tasks.map(({ text, state }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: tasks have no ids
          <li key={at} className="small block-task" data-state={state}>
            {state === 'working' ? <Spinner size={16} label="" /> : <Icon name={icons[state]} size={16} />}
            <span className="only-read">{t.states[state]}: </span>
            <bdi>{text}</bdi>
          </li>
        ))}
      </ul>
    </div>
  );
}
