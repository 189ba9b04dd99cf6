import './style/index.css';
import './features/appearance/appearance.css';
// Imported first, before anything else reads the URL.
import './features/session/arrival.ts';
import { createRoot } from 'react-dom/client';
import { App, beginAsking } from './App.tsx';
import { beginAppearance } from './features/appearance/index.ts';
import { registerServiceWorker } from './registerServiceWorker.ts';

// First, because storage is slow on its first read: the request runs meanwhile.
const asked = beginAsking();
beginAppearance();
void asked.then(() => createRoot(document.getElementById('app') as HTMLElement).render(<App />));
// After load, so that the page's own requests go first.
window.addEventListener('load', registerServiceWorker);
