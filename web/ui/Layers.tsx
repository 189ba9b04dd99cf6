import { FocusLayer } from './FocusLayer.tsx';
import { DialogLayer } from './openDialog.tsx';
import { ToastLayer } from './Toast.tsx';
import { TooltipLayer } from './Tooltip.tsx';

/** What lies above every page: once, beside the page itself. */
export const Layers = () => (
  <>
    <FocusLayer />
    <DialogLayer />
    <TooltipLayer />
    <ToastLayer />
  </>
);
