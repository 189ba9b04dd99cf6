import { useState } from 'react';
import { siteName } from '../../../api/base.ts';
import { common } from '../../../strings/en/common.ts';
import { me as t } from '../../../strings/en/me.ts';
import { Button, Checkbox, copyText, Dialog, saveFile, toast } from '../../../ui/index.ts';
import { Note } from '../../settings/index.ts';
import './setUpApp.css';

interface RecoveryCodesProps {
  codes: readonly string[];
  onClose: () => void;
}

/** Shows the recovery codes once. Closes after the user confirms that they have saved them. */
export function RecoveryCodes({ codes, onClose }: RecoveryCodesProps) {
  const [isKept, setKept] = useState(false);
  const text = codes.join('\n');

  async function copy(): Promise<void> {
    if (await copyText(text)) toast.show(t.recovery.copied, { kind: 'good' });
    else toast.show(t.recovery.notCopied, { kind: 'bad' });
  }

  const download = () =>
    saveFile(t.recovery.fileName, 'text/plain', t.recovery.file({ host: siteName(), codes: text }));

  return (
    <Dialog
      title={t.recovery.title}
      isFirm
      isBusy={!isKept}
      onClose={onClose}
      foot={
        <Button kind="main" disabled={!isKept} onClick={onClose}>
          {t.recovery.done}
        </Button>
      }
    >
      <div className="recovery-stack">
        <Note>{t.recovery.lead}</Note>
        <ul className="recovery-codes" aria-label={t.recovery.title}>
          {codes.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </ul>
        <div className="recovery-ways">
          <Button icon="copy" onClick={copy}>
            {t.recovery.copy}
          </Button>
          <Button icon="download" onClick={download}>
            {common.download}
          </Button>
        </div>
        <Checkbox label={t.recovery.kept} isOn={isKept} onChange={setKept} />
      </div>
    </Dialog>
  );
}
