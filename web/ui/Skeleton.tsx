import './Skeleton.css';

/** The place of a text or a picture that is on its way; silent, so say elsewhere that something loads. */
export const Skeleton = ({
  width = '100%',
  height = '0.75rem',
  isRound,
}: {
  /** Any length of CSS. */
  width?: string;
  height?: string;
  isRound?: boolean;
}) => (
  <span
    className={isRound ? 'skeleton skeleton-round' : 'skeleton'}
    style={{ width, height }}
    aria-hidden="true"
  />
);
