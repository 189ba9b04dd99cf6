import '../../../web/style/index.css';
import './gallery.css';
import { type ReactNode, StrictMode, useEffect, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { Choice, Layers } from '../../../web/ui/index.ts';
import { Content } from './content.tsx';
import { Controls } from './controls.tsx';
import { Forms } from './forms.tsx';
import { Overlays } from './overlays.tsx';

// The components of web/ui in various states, for test/browser/web/gallery.test.ts.

const root = document.documentElement;

function useAttribute(name: string, first: string): [string, (value: string) => void] {
  const [value, setValue] = useState(root.getAttribute(name) ?? first);
  useEffect(() => root.setAttribute(name, value), [name, value]);
  return [value, setValue];
}

function Setting({ label, name, values }: { label: string; name: string; values: readonly string[] }) {
  const [value, setValue] = useAttribute(name, values[0] ?? '');
  return (
    <Choice
      label={label}
      isLabelHidden
      options={values.map((each) => ({ value: each, label: each }))}
      value={value}
      onValue={setValue}
    />
  );
}

const Part = ({ title, children }: { title: string; children: ReactNode }) => (
  <section className="gallery-part" aria-label={title}>
    <h2 className="gallery-title">{title}</h2>
    {children}
  </section>
);

const Gallery = () => (
  <>
    <header className="gallery-head">
      <h1 className="gallery-name">Palaver</h1>
      <Setting label="Theme" name="data-theme" values={['light', 'dark']} />
      <Setting label="Density" name="data-density" values={['cosy', 'compact']} />
      <Setting label="Direction" name="dir" values={['ltr', 'rtl']} />
    </header>
    <main className="gallery">
      <Part title="Controls">
        <Controls />
      </Part>
      <Part title="Forms">
        <Forms />
      </Part>
      <Part title="Above the page">
        <Overlays />
      </Part>
      <Part title="Content">
        <Content />
      </Part>
    </main>
    <Layers />
  </>
);

const place = document.getElementById('app');
if (place)
  createRoot(place).render(
    <StrictMode>
      <Gallery />
    </StrictMode>,
  );
