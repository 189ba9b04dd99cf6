import './style/index.css';
import './features/appearance/appearance.css';
// Imported first, before anything else reads the URL.
import './features/session/arrival.ts';
import { createRoot } from 'react-dom/client';
import { App, beginAsking } from './App.tsx';
import { keepCompositionKeys } from './composition.ts';
import { beginAppearance } from './features/appearance/index.ts';
import { registerServiceWorker } from './registerServiceWorker.ts';

// Runs before anything else listens to keys.
keepCompositionKeys();
// Starts the request early, because the first read of storage is slow, and both run at the same time.
const asked = beginAsking();
beginAppearance();
void asked.then(() => createRoot(document.getElementById('app') as HTMLElement).render(<App />));
// Runs after the page has loaded, so the page's own requests go first.
window.addEventListener('load', registerServiceWorker);
// Runs much later, because nothing waits for it.
setTimeout(() => import('./features/session/lapsed.ts').catch(() => {}), 10_000);
