import { createStore } from '../../ui/store.ts';

/** How the client looks in this browser. */
export interface Appearance {
  theme: 'system' | 'light' | 'dark';
  density: 'cosy' | 'compact';
  /** Percent of the size of texts that the browser has. */
  textSize: 85 | 100 | 115 | 130;
  motion: 'system' | 'reduced';
}

export const themes = ['system', 'light', 'dark'] as const;
export const densities = ['cosy', 'compact'] as const;
export const textSizes = [85, 100, 115, 130] as const;

/** The key under which this browser keeps it, for whoever signs in. */
export const APPEARANCE = 'palaver-appearance';
const usual: Appearance = { theme: 'system', density: 'cosy', textSize: 100, motion: 'system' };

/** The appearance in a text that was kept. What is missing, or no longer known, is as usual. */
function appearanceIn(text: string | null): Appearance {
  let kept: Partial<Record<keyof Appearance, unknown>> = {};
  try {
    kept = (JSON.parse(text ?? '{}') as typeof kept | null) ?? {};
  } catch {
    // Somebody else's text: as usual.
  }
  const oneOf = <T>(all: readonly T[], value: unknown, other: T): T =>
    all.includes(value as T) ? (value as T) : other;
  return {
    theme: oneOf(themes, kept.theme, usual.theme),
    density: oneOf(densities, kept.density, usual.density),
    textSize: oneOf(textSizes, kept.textSize, usual.textSize),
    motion: oneOf(['system', 'reduced'] as const, kept.motion, usual.motion),
  };
}

function read(): Appearance {
  try {
    return appearanceIn(localStorage.getItem(APPEARANCE));
  } catch {
    // A browser that keeps nothing.
    return usual;
  }
}

function apply({ theme, density, textSize, motion }: Appearance): void {
  const { dataset, style } = document.documentElement;
  if (theme === 'system') delete dataset.theme;
  else dataset.theme = theme;
  dataset.density = density;
  if (motion === 'system') delete dataset.motion;
  else dataset.motion = motion;
  style.fontSize = textSize === 100 ? '' : `${textSize}%`;
}

const store = createStore(usual);

function take(): void {
  store.set(read());
  apply(store.get());
}

/** Lets the page look as was chosen in this browser. Called before anything is drawn, so that it never shows in another look first. */
export function beginAppearance(): void {
  take();
  // Another tab has changed it.
  window.addEventListener('storage', ({ key }) => {
    if (key === APPEARANCE || key === null) take();
  });
}

/** The present appearance. */
export const useAppearance = (): Appearance => store.use();

/** True while the page shows in the dark theme, by choice or by the system's. */
export const isDark = (): boolean => {
  const { theme } = store.get();
  return theme === 'system' ? matchMedia('(prefers-color-scheme: dark)').matches : theme === 'dark';
};

/** The density at this moment. */
export const densityNow = (): Appearance['density'] => store.get().density;

/** Changes the appearance at once, and keeps it in this browser. */
export function setAppearance(change: Partial<Appearance>): void {
  const next = { ...store.get(), ...change };
  store.set(next);
  apply(next);
  try {
    localStorage.setItem(APPEARANCE, JSON.stringify(next));
  } catch {
    // It holds until the page is closed.
  }
}
