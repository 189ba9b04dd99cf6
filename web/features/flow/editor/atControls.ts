interface Problem {
  path: string;
}

/** The controls of a path, in the open dialog. */
const controlsOf = (path: string): HTMLElement | undefined =>
  [...document.getElementsByName(path)].find((one) => one.closest('dialog[open]'));

/** The path itself or the nearest one above it that has a control. */
function nearest(path: string): string {
  // Every round shortens the path by at least one character, whatever it contains.
  for (let at = path; at !== ''; at = at.replace(/[.[]?[^.[]*$/, ''))
    if (controlsOf(at)) return at;
  return path;
}

/**
 * The error with the paths of controls that are shown, so that the form shows each problem at its field. Opens what the
 * fields are hidden in.
 */
export function atControls(error: unknown): unknown {
  const { details } = error as { details?: unknown };
  if (!Array.isArray(details)) return error;
  const placed = (details as Problem[]).map((problem) => {
    const path = nearest(problem.path);
    controlsOf(path)?.closest('details')?.setAttribute('open', '');
    return { ...problem, path };
  });
  return Object.assign(Object.create(error as object), { details: placed });
}
