import { api } from '../../api/index.ts';
import type { Records } from '../../api/records.ts';
import { useMay } from '../../may/index.ts';
import { common } from '../../strings/en/common.ts';
import { categorySettings as t } from '../../strings/en/serverSettings.ts';
import { Dialog, Form, TextField, toast, WithName } from '../../ui/index.ts';
import { Closed } from '../settings/index.ts';
import { Ask } from '../settings/server/index.ts';

interface CategoryDialogProps {
  serverId: string;
  /** Undefined for a new category. */
  category?: Records['Category'] | undefined;
  onClose: () => void;
}

/** Creates or renames a category. */
export function CategoryDialog({ serverId, category, onClose }: CategoryDialogProps) {
  const may = useMay(serverId, category ? 'category update' : 'category insert');
  return (
    <Dialog
      title={category ? <WithName words={t.renameNamed} values={{ name: category.name }} /> : t.create}
      size="s"
      onClose={onClose}
      isFirm
    >
      <Form
        submit={may.allowed && (category ? common.save : t.make)}
        onCancel={onClose}
        onSubmit={async (values) => {
          const name = values.text('name').trim();
          if (category) await api(serverId).categoryUpdate({ id: category.id, name });
          else await api(serverId).categoryInsert({ serverId, name });
          onClose();
          toast.show(category ? t.saved : t.made({ name }), { kind: 'good' });
        }}
      >
        <Closed permission={may} />
        <TextField
          name="name"
          label={common.name}
          defaultValue={category?.name}
          maxLength={100}
          required
          autoFocus
        />
      </Form>
    </Dialog>
  );
}

interface DeleteCategoryProps {
  category: Records['Category'];
  onClose: () => void;
}

/** Asks for confirmation before deleting a category. */
export const DeleteCategory = ({ category: { id, serverId, name }, onClose }: DeleteCategoryProps) => (
  <Ask
    permission={useMay(serverId, 'category delete')}
    title={<WithName words={t.ask} values={{ name }} />}
    text={t.askMore}
    action={t.delete}
    isDanger
    onConfirm={() => api(serverId).categoryDelete({ id })}
    done={t.deleted({ name })}
    onClose={onClose}
  />
);
