import { me as t } from '../../strings/en/me.ts';
import { Refusal } from '../session/index.ts';

/** Bytes of a picture, at most. */
const MOST = 5_000_000;
export const imageTypes = 'image/png,image/jpeg,image/gif,image/webp';

/** Throws a Refusal for a file that the server would refuse, before it is sent. */
export function requireImage(file: File): void {
  if (!imageTypes.split(',').includes(file.type)) throw new Refusal(t.profile.noPicture);
  if (file.size > MOST) throw new Refusal(t.profile.tooLarge);
}
