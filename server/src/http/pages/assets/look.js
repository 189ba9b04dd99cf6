// Before anything is drawn: the theme and the size of texts that somebody has chosen in the web client, in this browser.
{
  let chosen = {};
  try {
    chosen = JSON.parse(localStorage.getItem('palaver-appearance')) ?? {};
  } catch {
    // A browser that keeps nothing, or somebody else's text: as the system has it.
  }
  const { dataset, style } = document.documentElement;
  if (['light', 'dark'].includes(chosen.theme)) dataset.theme = chosen.theme;
  if ([85, 115, 130].includes(chosen.textSize)) style.fontSize = `${chosen.textSize}%`;
}
