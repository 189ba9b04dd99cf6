import type { ButtonHTMLAttributes, ReactNode, Ref } from 'react';
import { Icon } from './Icon.tsx';
import type { IconName } from './icons.ts';
import { names } from './names.ts';
import { Spinner } from './Spinner.tsx';
import './Button.css';

type Native = Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'children' | 'className'>;

interface Common extends Native {
  /**
   * `main` is for the primary action, `plain` for secondary ones, `quiet` has no background, `danger` is
   * for destructive actions.
   */
  kind?: 'main' | 'plain' | 'quiet' | 'danger';
  size?: 'small' | 'medium';
  /** Shows a spinner and ignores clicks, but keeps the focus. */
  isPending?: boolean;
  className?: string;
  ref?: Ref<HTMLButtonElement>;
}

export interface ButtonProps extends Common {
  icon?: IconName;
  children: ReactNode;
  /** Takes the full width. */
  isWide?: boolean;
}

/** A button with text. `type="button"` by default. */
export function Button({
  kind = 'plain',
  size = 'medium',
  isPending,
  isWide,
  icon,
  className,
  children,
  onClick,
  ...rest
}: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      className={names('button', `button-${kind}`, `button-${size}`, isWide && 'button-wide', className)}
      aria-disabled={isPending || rest['aria-disabled']}
      aria-busy={isPending}
      onClick={isPending ? (event) => event.preventDefault() : onClick}
    >
      {isPending ? <Spinner size={16} /> : icon && <Icon name={icon} size={size === 'small' ? 16 : 18} />}
      <span className="button-text">{children}</span>
    </button>
  );
}

export interface IconButtonProps extends Common {
  icon: IconName;
  /** The accessible name, also shown as a tooltip. */
  label: string;
  /** The keyboard shortcut, shown next to the label: `Ctrl K`. */
  keys?: string;
  /** The pressed state of a toggle button. */
  isOn?: boolean;
  /** Shows an unread dot. */
  hasNews?: boolean;
}

export function IconButton({
  kind = 'quiet',
  size = 'medium',
  icon,
  label,
  keys,
  isOn,
  isPending,
  hasNews,
  className,
  onClick,
  ...rest
}: IconButtonProps) {
  return (
    <button
      type="button"
      aria-pressed={isOn}
      data-tip={label}
      data-tip-keys={keys}
      {...rest}
      className={names('button', 'icon-button', `button-${kind}`, `button-${size}`, className)}
      aria-label={label}
      aria-disabled={isPending || rest['aria-disabled']}
      aria-busy={isPending}
      onClick={isPending ? undefined : onClick}
    >
      {isPending ? <Spinner size={16} label="" /> : <Icon name={icon} size={size === 'small' ? 16 : 18} />}
      {hasNews && <span className="icon-button-news" />}
    </button>
  );
}
