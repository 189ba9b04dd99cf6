import { createStore } from '../../ui/store.ts';

/** Appearance settings of this browser. */
export interface Appearance {
  theme: 'system' | 'light' | 'dark';
  density: 'cosy' | 'compact';
  /** A percentage of the browser's default text size. */
  textSize: 85 | 100 | 115 | 130;
  motion: 'system' | 'reduced';
}

export const themes = ['system', 'light', 'dark'] as const;
export const densities = ['cosy', 'compact'] as const;
export const textSizes = [85, 100, 115, 130] as const;

/** The key in localStorage, shared by all users of this browser. */
export const APPEARANCE = 'palaver-appearance';
const usual: Appearance = { theme: 'system', density: 'cosy', textSize: 100, motion: 'system' };

/** Parses stored settings. Missing or invalid values get their defaults. */
function appearanceIn(text: string | null): Appearance {
  let kept: Partial<Record<keyof Appearance, unknown>> = {};
  try {
    kept = (JSON.parse(text ?? '{}') as typeof kept | null) ?? {};
  } catch {
    // The text is not valid JSON, so the defaults apply.
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
    // Storage is blocked.
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

/** Applies the stored appearance. Call it before the first render to avoid a flash of the default one. */
export function beginAppearance(): void {
  take();
  // Applies changes made in other tabs.
  window.addEventListener('storage', ({ key }) => {
    if (key === APPEARANCE || key === null) take();
  });
}

/** The current appearance. */
export const useAppearance = (): Appearance => store.use();

/** True while the page uses the dark theme, by choice or by system preference. */
export const isDark = (): boolean => {
  const { theme } = store.get();
  return theme === 'system' ? matchMedia('(prefers-color-scheme: dark)').matches : theme === 'dark';
};

export const densityNow = (): Appearance['density'] => store.get().density;

/** Changes the appearance immediately and stores it in this browser. */
export function setAppearance(change: Partial<Appearance>): void {
  const next = { ...store.get(), ...change };
  store.set(next);
  apply(next);
  try {
    localStorage.setItem(APPEARANCE, JSON.stringify(next));
  } catch {
    // If storage is blocked, the change lasts until the page closes.
  }
}
