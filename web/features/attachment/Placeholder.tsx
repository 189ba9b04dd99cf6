import { useLayoutEffect, useRef } from 'react';
import { thumbHashToRGBA } from 'thumbhash';

/** A blurred preview while the image loads. */
export function Placeholder({ thumbhash }: { thumbhash: string }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useLayoutEffect(() => {
    const context = canvas.current?.getContext('2d');
    if (!canvas.current || !context) return;
    try {
      const hash = Uint8Array.from(atob(thumbhash), (char) => char.charCodeAt(0));
      const { w, h, rgba } = thumbHashToRGBA(hash);
      canvas.current.width = w;
      canvas.current.height = h;
      context.putImageData(new ImageData(new Uint8ClampedArray(rgba), w, h), 0, 0);
    } catch {
      // An invalid hash leaves the box empty.
    }
  }, [thumbhash]);
  return <canvas ref={canvas} className="picture-placeholder" />;
}
