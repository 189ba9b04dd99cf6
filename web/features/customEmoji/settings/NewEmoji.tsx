import { useEffect, useRef, useState } from 'react';
import { uploadEmoji } from '../../../api/raw.ts';
import { useMay } from '../../../may/index.ts';
import { useActions } from '../../../replica/hooks.ts';
import { common } from '../../../strings/en/common.ts';
import { emojiSettings as t } from '../../../strings/en/serverSettings.ts';
import { Dialog, Form, Icon, TextField, toast } from '../../../ui/index.ts';
import { CustomPicture } from '../../emoji/index.ts';
import { Refusal } from '../../session/index.ts';
import { Closed, PictureField } from '../../settings/index.ts';
import { nameFor } from './nameFor.ts';

/** The server's limits for the file, in bytes and in pixels. */
const MOST_BYTES = 1_000_000;
const MOST_PIXELS = 1_024;

/** Throws a Refusal for an image that the server would reject. */
async function requireSmall(file: File): Promise<void> {
  if (file.size > MOST_BYTES) throw new Refusal(t.tooLarge);
  const image = await createImageBitmap(file).catch(() => undefined);
  if (!image) throw new Refusal(t.broken);
  const { width, height } = image;
  image.close();
  if (Math.max(width, height) > MOST_PIXELS) throw new Refusal(t.tooWide({ width, height }));
}

/** Adds a custom emoji: an image with a name. */
export function NewEmoji({ serverId, onClose }: { serverId: string; onClose: () => void }) {
  const may = useMay(serverId, 'emoji insert');
  const { load } = useActions();
  const [chosen, setChosen] = useState<{ file: File; url: string }>();
  const [name, setName] = useState('');
  const hasTyped = useRef(false);
  const url = chosen?.url;
  useEffect(() => () => URL.revokeObjectURL(url ?? ''), [url]);

  async function take(file: File): Promise<void> {
    await requireSmall(file);
    setChosen({ file, url: URL.createObjectURL(file) });
    if (!hasTyped.current) setName(nameFor(file.name));
  }

  async function save(): Promise<void> {
    if (!chosen) throw new Refusal(t.noImage);
    const wanted = name.trim().replaceAll(/^:|:$/g, '');
    const made = await load(
      () => uploadEmoji(serverId, wanted, chosen.file),
      (emoji) => ({ emoji: [emoji] }),
    );
    onClose();
    toast.show(t.added({ name: `:${made.name}:` }), { kind: 'good' });
  }

  return (
    <Dialog title={t.add} onClose={onClose} isFirm>
      <Form submit={may.allowed && t.add} onCancel={onClose} onSubmit={save}>
        <Closed permission={may} />
        <PictureField
          label={t.image}
          title={t.image}
          hint={t.imageHint}
          face={
            <span className="setting-emoji setting-emoji-large">
              {url === undefined ? (
                <Icon name="image" size={32} />
              ) : (
                <CustomPicture text={common.preview} url={url} />
              )}
            </span>
          }
          choose={chosen ? t.change : t.choose}
          onFile={take}
        />
        <TextField
          name="name"
          label={common.name}
          hint={t.nameHint}
          value={name}
          onText={(text) => {
            hasTyped.current = true;
            setName(text);
          }}
          maxLength={34}
          spellCheck={false}
          required
        />
      </Form>
    </Dialog>
  );
}
