import { FocusLayer } from './FocusLayer.tsx';
import { DialogLayer } from './openDialog.tsx';
import { ToastLayer } from './Toast.tsx';
import { TooltipLayer } from './Tooltip.tsx';

/** All overlays. Rendered once, next to the page. */
export const Layers = () => (
  <>
    <FocusLayer />
    <DialogLayer />
    <TooltipLayer />
    <ToastLayer />
  </>
);
