import { formatting as t } from '../../../strings/en/writing.ts';
import { Dialog, Table } from '../../../ui/index.ts';
import { Markdown } from '../../markdown/index.ts';

const plain = (mark: string, name: string, tail: string) =>
  mark === ':' ? undefined : `${mark}${name}${tail}`;

/** Lists the syntax of messages, each with its result. */
export const FormattingHelp = ({ onClose }: { onClose: () => void }) => (
  <Dialog title={t.help} onClose={onClose}>
    <Table
      label={t.help}
      rows={t.samples}
      keyOf={(sample) => sample}
      columns={[
        {
          key: 'typed',
          label: t.typed,
          show: (sample) => (
            <code className="format-sample" dir="ltr">
              {sample}
            </code>
          ),
        },
        { key: 'shown', label: t.shown, show: (sample) => <Markdown content={sample} named={plain} /> },
      ]}
    />
    <p className="small muted">{t.more}</p>
  </Dialog>
);
