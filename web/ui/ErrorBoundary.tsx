import { Component, type ReactNode } from 'react';
import { common, ui as t } from '../strings/en/common.ts';
import { Button } from './Button.tsx';
import { Empty } from './Empty.tsx';
import { isMissingPart } from './missingPart.ts';

interface BoundaryProps {
  /** The error is reset when this value changes, such as the page's URL. */
  resetOn?: unknown;
  /** Called once for each error. */
  onError?: (error: unknown) => void;
  children: ReactNode;
}

interface BoundaryState {
  error?: unknown;
}

/** Limits the effect of a rendering error to a part of the page, and offers a way to recover. */
export class ErrorBoundary extends Component<BoundaryProps, BoundaryState> {
  override state: BoundaryState = {};

  static getDerivedStateFromError(error: unknown): BoundaryState {
    return { error };
  }

  override componentDidCatch(error: unknown): void {
    this.props.onError?.(error);
  }

  override componentDidUpdate(before: BoundaryProps): void {
    if (this.state.error !== undefined && before.resetOn !== this.props.resetOn)
      this.setState({ error: undefined });
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (error === undefined) return this.props.children;
    const isOld = isMissingPart(error);
    // While offline, a chunk that was never loaded fails in the same way as a chunk from an old version.
    const words = !isOld ? t.errors.page : navigator.onLine ? t.errors.newVersion : t.errors.noAnswer;
    return (
      <div role="alert">
        <Empty icon="triangle-alert" title={words}>
          {!isOld && (
            <Button icon="rotate-ccw" onClick={() => this.setState({ error: undefined })}>
              {common.tryAgain}
            </Button>
          )}
          <Button kind={isOld ? 'main' : 'plain'} icon="refresh-cw" onClick={() => location.reload()}>
            {t.errors.reload}
          </Button>
        </Empty>
      </div>
    );
  }
}
