import { useState } from 'react';
import { api, type Records } from '../../../api/index.ts';
import type { Permission } from '../../../may/index.ts';
import { common } from '../../../strings/en/common.ts';
import { flowEditor as t } from '../../../strings/en/flowEditor.ts';
import { flowSettings } from '../../../strings/en/flows.ts';
import { changesTo } from '../../../ui/changes.ts';
import {
  confirm,
  Dialog,
  Form,
  Switch,
  Tabs,
  TextArea,
  TextField,
  toast,
  type Values,
} from '../../../ui/index.ts';
import { Closed, Note } from '../../settings/index.ts';
import { atControls } from './atControls.ts';
import { bodyOf, type Draft, draftOf } from './draft.ts';
import { JsonTab } from './JsonTab.tsx';
import type { NewFields } from './newFields.ts';
import { Sentence } from './Sentence.tsx';
import { StepList } from './StepList.tsx';
import { TriggerFields } from './TriggerFields.tsx';
import { useDraft } from './useDraft.ts';
import './editor.css';

type Flow = Records['Flow'];

interface EditorProps {
  serverId: string;
  /** Undefined for a new flow. */
  flow?: Flow | undefined;
  /** The initial fields of a new flow. */
  first?: NewFields;
  permission: Permission;
  /** Called after saving, with a path if the flow got a new hook. */
  onSaved: (flow: Records['FlowWithPath']) => void;
  onClose: () => void;
}

const empty: NewFields = {
  name: '',
  description: null,
  trigger: { on: 'event', type: 'message.created' },
  steps: [],
};

const tabs = {
  form: { id: 'form', label: t.form, icon: 'list' },
  json: { id: 'json', label: t.json, icon: 'code' },
} as const;

/** The content of a draft as text, for comparisons. */
const textOfDraft = (draft: Draft): string => JSON.stringify(bodyOf(draft));

/** Whether the open dialog has a control with this name. */
const hasControl = (name: string): boolean =>
  [...document.getElementsByName(name)].some((one) => one.closest('dialog[open]'));

/** Shows, edits or creates a flow: its trigger and its steps as forms, or as JSON. */
export default function Editor({ serverId, flow, first = empty, permission, onSaved, onClose }: EditorProps) {
  const [before] = useState(flow);
  // Determined once, so a user who loses the permission while typing keeps their text.
  const [isClosed] = useState(!permission.allowed);
  const [draft, edits] = useDraft(() => draftOf(before ?? first));
  const [view, setView] = useState<'form' | 'json'>(draft.raw ? 'json' : 'form');
  const [start] = useState(() => textOfDraft(draft));

  async function save(values: Values): Promise<void> {
    const fields = {
      name: values.text('name'),
      description: values.optional('description') ?? null,
      enabled: values.isOn('enabled'),
      ...bodyOf(draft),
    };
    const saved = await store(fields).catch((error) => {
      throw atControls(error, hasControl);
    });
    toast.show(flowSettings.saved, { kind: 'good' });
    if (saved) onSaved(saved);
    onClose();
  }

  async function store(fields: NewFields & { enabled: boolean }) {
    if (!flow) return api(serverId).flowInsert({ serverId, ...fields });
    const changes = changesTo(before ?? {}, fields);
    // Saving turns a note into a flow, even without changes.
    const all = flow.kind === 'note' ? { trigger: fields.trigger, steps: fields.steps } : undefined;
    return changes || all ? api(serverId).flowUpdate({ flowId: flow.id, ...changes, ...all }) : undefined;
  }

  const close = () =>
    !isClosed && textOfDraft(draft) !== start
      ? confirm.ask({
          title: t.discardAsk,
          text: t.discardMore,
          action: t.discard,
          isDanger: true,
          onConfirm: onClose,
        })
      : onClose();

  return (
    <Dialog title={flow?.name ?? flowSettings.create} size="l" onClose={close} isFirm={!isClosed}>
      <Form submit={permission.allowed && !isClosed && common.save} onCancel={close} onSubmit={save}>
        {!isClosed && <Closed permission={permission} />}
        {before?.kind === 'note' && <Note icon="info">{t.isNote}</Note>}
        <TextField
          name="name"
          label={common.name}
          defaultValue={before?.name ?? first.name}
          maxLength={100}
          required
          disabled={isClosed}
        />
        <TextArea
          name="description"
          label={common.description}
          defaultValue={before?.description ?? first.description ?? ''}
          most={4000}
          rows={1}
          isOptional
          disabled={isClosed}
        />
        <Tabs
          label={t.views}
          selected={view}
          onSelect={setView}
          tabs={draft.raw ? [tabs.json] : [tabs.form, tabs.json]}
        >
          {view === 'json' ? (
            <JsonTab draft={draft} onDraft={edits.whole} isDisabled={isClosed} />
          ) : (
            <div className="stack flow-form">
              <TriggerFields
                serverId={serverId}
                trigger={draft.trigger}
                onChange={edits.trigger}
                isDisabled={isClosed}
              />
              <fieldset className="stack flow-trigger">
                <legend className="flow-part">{t.thenDo}</legend>
                <StepList {...{ serverId, draft, edits }} isDisabled={isClosed} />
              </fieldset>
            </div>
          )}
        </Tabs>
        {!draft.raw && <Sentence serverId={serverId} draft={draft} />}
        <Switch
          name="enabled"
          label={flowSettings.enabled}
          defaultOn={before?.enabled ?? true}
          isDisabled={isClosed}
        />
      </Form>
    </Dialog>
  );
}
