import { ConfirmLayer } from './Confirm.tsx';
import { FocusLayer } from './FocusLayer.tsx';
import { ToastLayer } from './Toast.tsx';
import { TooltipLayer } from './Tooltip.tsx';

/** What lies above every page: once, beside the page itself. */
export const Layers = () => (
  <>
    <FocusLayer />
    <ConfirmLayer />
    <TooltipLayer />
    <ToastLayer />
  </>
);
