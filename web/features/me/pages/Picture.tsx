import { useEffect, useState } from 'react';
import { api } from '../../../api/index.ts';
import { uploadOwnPicture } from '../../../api/raw.ts';
import { common } from '../../../strings/en/common.ts';
import { me as t } from '../../../strings/en/me.ts';
import { Avatar, Button, toast } from '../../../ui/index.ts';
import { keepAccount, type Myself } from '../../session/index.ts';
import { PictureField } from '../../settings/index.ts';

/** The user's avatar, with a preview before it is uploaded. */
export function Picture({ me }: { me: Myself }) {
  const [chosen, setChosen] = useState<{ file: File; url: string }>();
  const url = chosen?.url;
  useEffect(() => () => URL.revokeObjectURL(url ?? ''), [url]);

  async function keep(answer: Promise<{ image: string | null }>, said: string): Promise<void> {
    const { image } = await answer;
    keepAccount({ image });
    setChosen(undefined);
    toast.show(said, { kind: 'good' });
  }

  return (
    <PictureField
      label={t.profile.picture}
      title={chosen ? common.preview : t.profile.picture}
      hint={chosen ? t.profile.previewMore : t.profile.pictureHint}
      face={<Avatar id={me.id} name={me.name} src={url ?? me.image} size={88} />}
      choose={chosen ? undefined : me.image ? t.profile.change : t.profile.choose}
      onFile={(file) => setChosen({ file, url: URL.createObjectURL(file) })}
    >
      {({ isBusy, run }) =>
        chosen ? (
          <>
            <Button
              size="small"
              kind="main"
              isPending={isBusy}
              onClick={() => run(() => keep(uploadOwnPicture(chosen.file), t.profile.pictureSaved))}
            >
              {t.profile.use}
            </Button>
            <Button size="small" disabled={isBusy} onClick={() => setChosen(undefined)}>
              {common.cancel}
            </Button>
          </>
        ) : (
          me.image && (
            <Button
              size="small"
              kind="quiet"
              isPending={isBusy}
              onClick={() => run(() => keep(api('none').userImageDelete(), t.profile.pictureGone))}
            >
              {common.remove}
            </Button>
          )
        )
      }
    </PictureField>
  );
}
