// Applies the theme and text size chosen in the web client, before the first paint.
{
  let chosen = {};
  try {
    chosen = JSON.parse(localStorage.getItem('palaver-appearance')) ?? {};
  } catch {
    // If storage is unavailable or has unexpected content, the system's settings apply.
  }
  const { dataset, style } = document.documentElement;
  if (['light', 'dark'].includes(chosen.theme)) dataset.theme = chosen.theme;
  if ([85, 115, 130].includes(chosen.textSize)) style.fontSize = `${chosen.textSize}%`;
}
