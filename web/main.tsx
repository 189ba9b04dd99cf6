import './style/index.css';
import './features/appearance/appearance.css';
// Before anything else reads the address.
import './features/session/arrival.ts';
import { createRoot } from 'react-dom/client';
import { App, beginAsking } from './App.tsx';
import { beginAppearance } from './features/appearance/index.ts';
import { registerServiceWorker } from './registerServiceWorker.ts';

// First: what the browser keeps comes slowly at first, and the answer is on its way meanwhile.
const asked = beginAsking();
beginAppearance();
void asked.then(() => createRoot(document.getElementById('app') as HTMLElement).render(<App />));
// What the page needs goes first.
window.addEventListener('load', registerServiceWorker);
