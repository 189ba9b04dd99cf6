import './Skeleton.css';

/** A placeholder for loading content. Hidden from screen readers, so announce the loading elsewhere. */
export const Skeleton = ({
  width = '100%',
  height = '0.75rem',
  isRound,
}: {
  /** Any CSS length. */
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
