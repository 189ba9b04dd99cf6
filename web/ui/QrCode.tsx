import './QrCode.css';
import { useMemo } from 'react';
import { qrCodeOf } from './qr.ts';

/** The quiet zone around the code, in modules. */
const MARGIN = 4;

/** Shows text as a QR code. Screen readers get only the label, so show the text itself next to the code. */
export default function QrCode({ text, label }: { text: string; label: string }) {
  const code = useMemo(() => qrCodeOf(text), [text]);
  const size = code.length + 2 * MARGIN;
  const path = code
    .flatMap((row, y) => row.map((dark, x) => (dark ? `M${x + MARGIN} ${y + MARGIN}h1v1h-1z` : '')))
    .join('');
  return (
    <svg
      className="qr-code"
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label={label}
      shapeRendering="crispEdges"
    >
      <path d={path} fill="currentColor" />
    </svg>
  );
}
