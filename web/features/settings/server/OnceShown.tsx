import type { ReactNode } from 'react';
import { serverSettings as t } from '../../../strings/en/serverSettings.ts';
import { Button, Copy, Dialog } from '../../../ui/index.ts';
import { Note } from '../index.ts';
import './onceShown.css';

interface OnceShownProps {
  title: ReactNode;
  /** A note that the secret won't be shown again, with instructions. */
  lead: string;
  /** The secret. */
  value: string;
  label: string;
  /** Commands and settings that use the secret, ready to copy. */
  lines?: readonly { title: string; text: string }[];
  onClose: () => void;
}

/** Shows a secret that can't be shown again. A click outside does not close the dialog. */
export const OnceShown = ({ title, lead, value, label, lines = [], onClose }: OnceShownProps) => (
  <Dialog
    title={title}
    isFirm
    size="m"
    onClose={onClose}
    foot={
      <Button kind="main" onClick={onClose}>
        {t.kept}
      </Button>
    }
  >
    <div className="stack">
      <Note icon="eye">{lead}</Note>
      <div className="stack setting-once-part">
        <h3 className="small setting-once-title">{label}</h3>
        <Copy text={value} label={t.copyNamed({ what: label })} isShown />
      </div>
      {lines.map((line) => (
        <div key={line.title} className="stack setting-once-part">
          <h3 className="small setting-once-title">{line.title}</h3>
          <Copy text={line.text} label={t.copyNamed({ what: line.title })} isShown />
        </div>
      ))}
    </div>
  </Dialog>
);
