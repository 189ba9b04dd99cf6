import { useState } from 'react';
import { api, type Records } from '../../../api/index.ts';
import { usePages } from '../../../api/pages.ts';
import { useMay } from '../../../may/index.ts';
import { common } from '../../../strings/en/common.ts';
import { wordRuleSettings as t } from '../../../strings/en/moderation.ts';
import { serverSettings as shared } from '../../../strings/en/serverSettings.ts';
import { Choice, Dialog, Form, TextField, toast, type Values } from '../../../ui/index.ts';
import { AskedRows, Closed, Create, Page, Row } from '../../settings/index.ts';
import { Ask, RowMenu, type SectionProps } from '../../settings/server/index.ts';

type Rule = Records['WordRule'];

/** The word rules of a server, which hold or block messages. */
export default function WordRules({ serverId }: SectionProps) {
  const may = useMay(serverId, 'wordRule insert');
  /** Number of rules created here. The list is reloaded after each. */
  const [created, setCreated] = useState(0);
  const pages = usePages([serverId, may.allowed, created].join(' '), async (cursor) =>
    may.allowed
      ? api(serverId).wordRulesByServer({ serverId, cursor })
      : Object.assign([], { nextCursor: null }),
  );
  const [editing, setEditing] = useState<Rule | 'new'>();
  const [deleting, setDeleting] = useState<Rule>();
  const close = () => setEditing(undefined);
  return (
    <Page
      title={t.title}
      lead={t.lead}
      action={may.allowed && <Create label={t.create} onClick={() => setEditing('new')} />}
    >
      <Closed permission={may} what={t.forbidden} />
      {may.allowed && (
        <AskedRows label={t.title} pages={pages} empty={{ icon: 'list', title: t.none, text: t.noneMore }}>
          {(rule) => (
            <Row
              key={rule.id}
              title={rule.pattern}
              note={t.actions[rule.action]}
              actions={
                <RowMenu
                  name={rule.pattern}
                  items={[
                    { label: shared.edit, icon: 'pencil', onSelect: () => setEditing(rule) },
                    {
                      label: common.delete,
                      icon: 'trash',
                      isDanger: true,
                      onSelect: () => setDeleting(rule),
                    },
                  ]}
                />
              }
            />
          )}
        </AskedRows>
      )}
      {editing && (
        <RuleDialog
          serverId={serverId}
          rule={editing === 'new' ? undefined : editing}
          onDone={(rule) => {
            close();
            if (editing === 'new') setCreated(created + 1);
            else pages.put(rule.id, rule);
          }}
          onClose={close}
        />
      )}
      {deleting && (
        <Ask
          permission={may}
          title={t.ask({ pattern: deleting.pattern })}
          text={t.askMore}
          action={common.delete}
          onConfirm={async () => {
            await api(serverId).wordRuleDelete({ id: deleting.id });
            pages.put(deleting.id, undefined);
          }}
          done={t.deleted}
          onClose={() => setDeleting(undefined)}
        />
      )}
    </Page>
  );
}

interface RuleDialogProps {
  serverId: string;
  /** Undefined for a new rule. */
  rule: Rule | undefined;
  onDone: (rule: Rule) => void;
  onClose: () => void;
}

function RuleDialog({ serverId, rule, onDone, onClose }: RuleDialogProps) {
  const save = async (values: Values) => {
    const fields = {
      pattern: values.text('pattern').trim(),
      action: values.text('action') as Rule['action'],
    };
    const saved = rule
      ? await api(serverId).wordRuleUpdate({ id: rule.id, ...fields })
      : await api(serverId).wordRuleInsert({ serverId, ...fields });
    onDone(saved);
    toast.show(t.saved, { kind: 'good' });
  };
  return (
    <Dialog title={rule ? t.edit : t.create} size="s" onClose={onClose} isFirm>
      <Form submit={common.save} onSubmit={save} onCancel={onClose}>
        <TextField
          name="pattern"
          label={t.pattern}
          hint={t.patternHint}
          defaultValue={rule?.pattern}
          maxLength={100}
          required
          autoFocus
        />
        <Choice
          name="action"
          label={t.action}
          defaultValue={rule?.action ?? 'hold'}
          options={(['hold', 'refuse'] as const).map((value) => ({ value, label: t.actions[value] }))}
        />
      </Form>
    </Dialog>
  );
}
