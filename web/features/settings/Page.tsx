import { type ReactNode, useId } from 'react';
import { Button, names } from '../../ui/index.ts';
import './page.css';

interface HeadProps {
  title: string;
  /** One or two sentences about the content and the purpose of the page. */
  lead?: ReactNode;
  /** The primary button. */
  action?: ReactNode;
}

interface PageProps extends HeadProps {
  children: ReactNode;
}

/** A settings page with its heading. */
export const Page = ({ title, lead, action, children }: PageProps) => (
  <div className="stack setting-page">
    <header className="setting-head">
      <div className="stack setting-words">
        <h1 className="setting-title">{title}</h1>
        {lead && <p className="setting-lead">{lead}</p>}
      </div>
      {action && <div className="setting-actions">{action}</div>}
    </header>
    {children}
  </div>
);

/** The main action of a page with a list. */
export const Create = ({ label, onClick }: { label: string; onClick: () => void }) => (
  <Button kind="main" icon="plus" onClick={onClick}>
    {label}
  </Button>
);

interface GroupProps extends HeadProps {
  isDanger?: boolean;
  children?: ReactNode;
}

/** A section of a page, with its own heading. */
export function Group({ title, lead, action, isDanger, children }: GroupProps) {
  const id = useId();
  return (
    <section
      className={names('stack setting-group', isDanger && 'setting-group-danger')}
      aria-labelledby={id}
    >
      <header className="setting-head">
        <div className="stack setting-words">
          <h2 className="setting-subtitle" id={id}>
            {title}
          </h2>
          {lead && <p className="setting-lead">{lead}</p>}
        </div>
        {action && <div className="setting-actions">{action}</div>}
      </header>
      {children}
    </section>
  );
}
