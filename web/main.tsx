import './style/index.css';
import './features/appearance/appearance.css';
// Before anything is drawn.
import './features/appearance/index.ts';
// Before anything else reads the address.
import './features/session/arrival.ts';
import { createRoot } from 'react-dom/client';
import { App, beginAsking } from './App.tsx';
import { registerServiceWorker } from './registerServiceWorker.ts';

beginAsking();
createRoot(document.getElementById('app') as HTMLElement).render(<App />);
// What the page needs goes first.
window.addEventListener('load', registerServiceWorker);
